"""What the tests with Jupyter share: a small notebook, and a JupyterLab that is left as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from command_line import PATIENCE
from house_rules import ROOT

SMALL_LOG = """\
import wordorder_lab as wl
log = wl.EventLog()
log.begin(["IBM", "bought", "Lotus"], [1, 1, 1], 3, 2)
log.step(1)
for serial, word in enumerate(["IBM", "bought", "Lotus"], 1):
    log.candidate(serial, 0, f"SHIFT-{word}-NN", -float(serial))
log.kept(1, 0)
log.kept(2, 1)
log.cut(3, 1.0)
log.step(2)
log.candidate(4, 1, "SHIFT-bought-VBD", -1.5)
log.candidate(5, 2, "SHIFT-Lotus-NNP", -2.5)
log.kept(4, 0)
log.kept(5, 1)
log.finished(4, -1.5)
"""
"""A cell that makes a log of fourteen events, without a model."""


BEST_FIRST_LOGS = """\
import wordorder_lab as wl
words = [("IBM", "NNP", 1), ("bought", "VBD", -1), ("Lotus", "NNP", 1)]
sentence = wl.Sentence(tuple(wl.Token((word,), tag, head) for word, tag, head in words))
system, lesson, log = "zhang-clark-2015-dependency", wl.EventLog(), wl.EventLog()
how = {"epochs": 1, "engine": "reference", "progress": False}
model = wl.train(system, [sentence], trace=lesson, **how)
bag = wl.bag_of(sentence)
found = model.order(bag, trace=log, engine="reference")
"""
"""A cell that makes the logs of a lesson and of a search, and the model behind the search."""


def write_notebook(path: Path, *cells: str) -> None:
    """A notebook of these code cells."""
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernel}
    )
    nbformat.write(notebook, path)


def own_folders(folder: Path) -> dict[str, str]:
    """An environment in which Jupyter reads and writes nothing of the user's."""
    names = {
        **{f"JUPYTER_{name}_DIR": name.lower() for name in ("CONFIG", "DATA", "RUNTIME")},
        **{f"JUPYTERLAB_{name}_DIR": name.lower() for name in ("SETTINGS", "WORKSPACES")},
        "IPYTHONDIR": "ipython",
    }
    folders = {name: str(folder / where) for name, where in names.items()}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **folders, "PYTHONPATH": path}


@contextmanager
def jupyterlab(notebooks: Path, folder: Path) -> Iterator[str]:
    """The address of a JupyterLab that keeps what it writes in a folder of its own."""
    _keep_quiet(folder)
    options = [
        *("--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"),
        *("--IdentityProvider.token=", f"--ServerApp.root_dir={notebooks}"),
        *("--LabApp.extension_manager=readonly", "--LabApp.news_url=None"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    command = [sys.executable, "-m", "jupyterlab", *options]
    said = folder / "server.log"
    with said.open("w", encoding="utf-8") as output:
        server = subprocess.Popen(command, env=own_folders(folder), stdout=output, stderr=output)
    try:
        yield _address(folder / "runtime", server, said)
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


def _keep_quiet(folder: Path) -> None:
    """No question whether the user wants news."""
    place = folder / "settings" / "@jupyterlab" / "apputils-extension"
    place.mkdir(parents=True)
    text = json.dumps({"fetchNews": "false", "checkForUpdates": False})
    (place / "notification.jupyterlab-settings").write_text(text, encoding="utf-8")


def _address(runtime: Path, server: subprocess.Popen, said: Path) -> str:
    """Wait for the file in which the server says where it listens."""
    end = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < end:
        for path in runtime.glob("jpserver-*.json"):
            text = path.read_text(encoding="utf-8")
            if text.endswith("}"):
                return json.loads(text)["url"].rstrip("/")
        time.sleep(0.05)
    raise AssertionError(f"JupyterLab did not start:\n{said.read_text(encoding='utf-8')}")
