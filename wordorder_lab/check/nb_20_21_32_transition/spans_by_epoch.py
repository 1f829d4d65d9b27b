"""What notebook 32 looks at in a training: the spans that its searches keep, epoch by epoch."""

from __future__ import annotations

from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.replay import fold


def spans_by_epoch(log: EventLog) -> dict[str, dict[str, list[int]]]:
    """For each epoch how many spans of each length its searches kept, and how many were gold.

    A log of every n-th search will do. Raises ``ValueError`` for one that tells of no epoch.
    """
    counted: dict[str, dict[str, list[int]]] = {}
    part = EventLog()
    for event in log:
        part.record(*event)
        if event[0] == "epoch":
            lengths = fold(part, len(part), "spans")["all"]
            counted[f"epoch {event[1]}"] = {name: lengths[name] for name in ("kept", "gold")}
            part = EventLog()
    if not counted:
        raise ValueError("the log tells of no epoch: hand it to a training, as trace=log")
    return counted
