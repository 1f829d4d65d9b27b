"""The verbs of the command line, a file each; ``run`` takes the parsed arguments."""
