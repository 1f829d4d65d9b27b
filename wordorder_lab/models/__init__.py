"""What no family of search owns: n-gram models, ARPA files, the model file, the tag dictionary."""
