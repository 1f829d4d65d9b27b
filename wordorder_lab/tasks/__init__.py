"""A gold sentence -> an input that hides what is to be found."""
