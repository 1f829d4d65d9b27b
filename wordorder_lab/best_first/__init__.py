"""Zhang & Clark (2011, 2015), best-first: ``search`` searches, ``guided_learning`` learns."""
