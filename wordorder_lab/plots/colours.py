"""The colours of pictures by name: Okabe and Ito's, which colour-blind people can tell apart."""

from wordorder_lab.experiments.measures.figures import COLOURS

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
"""Red is Okabe and Ito's vermilion."""
GREY = "#999999"
"""For what is there to compare with, such as a random order."""
CURVES = (BLUE, ORANGE, GREEN, RED, PINK, SKY, BLACK)
"""In the order in which the curves of a picture get them."""
