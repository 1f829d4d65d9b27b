"""The version of this package, for files that say what they were made with."""

VERSION = "1.0.1"
