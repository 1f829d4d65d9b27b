"""The Gazette: an invented newspaper, written by a grammar, each layer from the same source."""
