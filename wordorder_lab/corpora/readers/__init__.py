"""What reads files and converts trees: a format or a paper's recipe a file, no corpus by name."""
