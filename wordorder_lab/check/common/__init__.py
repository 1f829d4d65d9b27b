"""What exercises of several notebooks share: what an exercise is, small problems to ask about."""
