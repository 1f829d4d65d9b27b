"""Players: step forward and back through what a decoder or learner did."""
