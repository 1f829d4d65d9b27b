"""Which words a lemma may become, and which word of a sentence each lemma was.

Zhang & Clark (2015), section 5.7.
"""
