"""Features: templates are data in the papers' own notation; extractors instantiate them."""
