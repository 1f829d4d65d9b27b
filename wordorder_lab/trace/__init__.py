"""What a run did, event by event."""
