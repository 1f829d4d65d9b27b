"""How good an output is: BLEU in two conventions, ordering scores, and how sure we are of them.

Imports only ``structures`` of ours; what is scored comes in as plain strings.
"""
