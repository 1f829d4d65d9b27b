"""What may combine with what."""
