"""What everything else is made of: sentences, bags of words, trees, search states.

Nothing in this folder imports anything of ours from outside it.
"""
