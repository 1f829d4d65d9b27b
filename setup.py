"""What pyproject.toml cannot say: a wheel has the Gazette's files inside the package.

They are committed in ``data/gazette``, beside the grammar that writes them. An editable install
and a checkout read them there.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

KINDS = (".mrg", ".conllu", ".auto", ".jsonl")
"""What the package reads of ``data/gazette``."""


class BuildWithGazette(build_py):
    """Copies the files to where ``corpora/gazette_corpus.py`` looks for them."""

    def run(self) -> None:
        """Build the package, and put the corpus into it."""
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib, "wordorder_lab", "corpora", "gazette_data")
        self.mkpath(str(folder))
        for file in sorted(Path("data", "gazette").iterdir()):
            if file.suffix in KINDS:
                self.copy_file(str(file), str(folder / file.name))


setup(cmdclass={"build_py": BuildWithGazette})
