"""What everything else is made of: sentences, bags of words, trees, templates.

Nothing in this folder imports anything of ours from outside it.
"""
