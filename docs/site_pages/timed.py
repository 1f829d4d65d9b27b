"""``make site``: MkDocs builds it, and then it is said how long that took and what was kept."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from site_pages.page import ROOT
from wordorder_lab.runtime.user_cache import writable_cache

SITE = ROOT / "build" / "site"
KEPT = ("build/pages", "build/gallery", "build/models", "build/site_results", "build/tab_models")


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    """Build, and say it; MkDocs' own exit code."""
    begin, before = time.perf_counter(), os.times()
    code = subprocess.run([sys.executable, "-m", "mkdocs", "--quiet", "build"]).returncode
    if code:
        return code
    after = os.times()
    of_processor = after.children_user - before.children_user
    of_processor += after.children_system - before.children_system
    print(
        f"build/site: {size(SITE) / 1e6:.0f} MB, in {time.perf_counter() - begin:.0f} s, "
        f"{of_processor:.0f} s of a processor, notebooks and gallery not counted"
    )
    parts = {name: size(SITE / name) for name in ("lite", "try") if (SITE / name).is_dir()}
    if parts:
        told = ", ".join(f"{name}/ {of / 1e6:.0f} MB" for name, of in parts.items())
        print(f"of which for Python in a tab: {told}")
    kept = [name for name in KEPT if (ROOT / name).is_dir()]
    print(f"kept for the next time: {', '.join([*kept, str(writable_cache())])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
