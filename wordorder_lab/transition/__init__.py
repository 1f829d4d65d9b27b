"""Liu et al. (2015), transition-based: ``beam`` searches, ``averaged_perceptron`` learns."""
