"""CITATION.cff says what the package says of itself, and how the papers are cited."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml

import wordorder_lab

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = {
    ("Liu", 2015): "Transition-Based Syntactic Linearization",
    ("Zhang", 2015): "Discriminative Syntax-Based Word Ordering for Text Generation",
    ("Cohn", 2009): "Sentence Compression as Tree Transduction",
    ("Zhang", 2011): "Syntax-Based Grammaticality Improvement using CCG and Guided Search",
}


def citation() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return loaded


def test_the_citation_has_what_the_format_needs() -> None:
    """Citation File Format 1.2.0: these four keys, and a type that is one of two."""
    told = citation()
    assert told["cff-version"] == "1.2.0" and told["type"] == "software"
    assert all(told[key] for key in ("message", "title", "authors"))


def test_the_citation_says_what_the_package_says() -> None:
    told = citation()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(told["version"]) == wordorder_lab.__version__
    assert told["license"] == project["license"]
    assert told["authors"] == project["authors"] and told["keywords"] == project["keywords"]
    assert told["title"].startswith("wordorder_lab")


def test_the_four_papers_can_be_cited_too() -> None:
    told = {
        (one["authors"][0]["family-names"], one["year"]): one["title"]
        for one in citation()["references"]
    }
    assert told == REFERENCES
