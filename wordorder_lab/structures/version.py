"""The version of this package, for files that say what they were made with."""

VERSION = "0.1.0"
