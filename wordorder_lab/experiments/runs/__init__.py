"""One run of a specification: settings, corpus, training, and how the model is scored."""
