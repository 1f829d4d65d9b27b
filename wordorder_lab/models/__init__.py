"""What is learned: weights, dictionaries, and their files."""
