"""Where gold was lost: its score, its survival in a search, search and model errors."""
