"""What an experiment measures: how it is run, its tables, its pictures."""
