"""The players' scripts are ES modules, and Python joins them into one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from ccg_logs import ccg_log
from random_logs import best_first_log, guided_log, ordering_log, training_log
from script_names import Names, unknown
from sentence_logs import deletion_log, parsing_log
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import VIEWS, views_of
from wordorder_lab.widgets.module import (
    BOARD,
    COMPRESSIONS,
    DECODER,
    ENTRY,
    EVERYTHING,
    EXPLORER,
    RACE,
    SENTENCES,
    SWEEP,
    TRAININGS,
    module_text,
    page_module_text,
)
from wordorder_lab.widgets.module import VIEWS as FOLDER
from wordorder_lab.widgets.page import contents
from wordorder_lab.widgets.scripts import Script, brief, join, read, tokens

PATHS = sorted(FOLDER.rglob("*.js"))
SCRIPTS = [read(path.relative_to(FOLDER).as_posix(), path.read_text("utf-8")) for path in PATHS]
IDS = [script.name for script in SCRIPTS]
ENTRIES = [script.name for script in SCRIPTS if script.default]


def written(folder: Path, scripts: dict[str, str]) -> Path:
    """A folder with these scripts."""
    for name, text in scripts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# --- joining ------------------------------------------------------------------------------------

END = "export default { f };\n"
TWO = "export const a = 1;\n\nexport async function b() {\n  return a;\n}\n"


def test_what_is_imported_comes_first(tmp_path) -> None:
    """Depth first, in the order of the imports, each script once; nothing but them is changed."""
    scripts = {
        "z/main.js": '// Main.\n\nimport { c } from "../y/c.js";\n'
        'import {\n  a,\n  b,\n} from "./ab.js";\n'
        f"\nfunction f() {{\n  return [a, b, c];\n}}\n\n{END}",
        "y/c.js": 'import { b } from "../z/ab.js";\n\nexport class c {}\n',
        "z/ab.js": TWO,
    }
    assert join(written(tmp_path, scripts), "z/main.js") == (
        "const a = 1;\n\nasync function b() {\n  return a;\n}\n\n"
        "\nclass c {}\n\n"
        "// Main.\n\n\nfunction f() {\n  return [a, b, c];\n}\n\nexport default { f };\n"
    )


MAIN = 'import { a } from "./two.js";\n\nfunction f() {\n  return a;\n}\n\n' + END
REFUSED = {
    "circle": (
        {"two.js": 'import { c } from "./three.js";\n' + TWO}
        | {"three.js": 'import { a } from "./two.js";\nexport const c = 1;\n'},
        "in a circle: two.js -> three.js -> two.js",
    ),
    "itself": (
        {"two.js": 'import { b } from "./two.js";\n' + TWO},
        "in a circle: two.js -> two.js",
    ),
    "no such script": ({}, "main.js imports two.js, which is not there"),
    "outside": (
        {"two.js": 'import { c } from "../../three.js";\n' + TWO},
        "two.js imports ../../three.js, which is not there",
    ),
    "no such name": (
        {"two.js": "const a = 1;\n"},
        "main.js imports a, which two.js does not export",
    ),
    "two of a name": (
        {"two.js": 'import { c } from "./three.js";\n' + TWO}
        | {"three.js": "let a = 2;\nexport const c = 1;\n"},
        "three.js and two.js both declare a",
    ),
    "two of a name again": ({"two.js": TWO + "class f {}\n"}, "two.js and main.js both declare f"),
    "nobody's": ({"two.js": TWO, "x/three.js": ""}, "no script imports x/three.js"),
    "second default": ({"two.js": TWO + "export default { a };\n"}, "two.js: the entry"),
    "no default": ({"main.js": TWO}, "main.js: the entry script has a default"),
}


@pytest.mark.parametrize(("scripts", "told"), REFUSED.values(), ids=REFUSED)
def test_scripts_that_do_not_fit_are_refused(tmp_path, scripts: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        join(written(tmp_path, {"main.js": MAIN, **scripts}), "main.js")


def test_a_folder_may_have_two_entries(tmp_path) -> None:
    """Each module has what its entry needs, and names of the other one do not disturb it."""
    other = 'import { b } from "./two.js";\n\nfunction f() {\n  return b;\n}\n\n' + END
    folder = written(tmp_path, {"main.js": MAIN, "two.js": TWO, "other.js": other})
    assert "return a;\n}" in join(folder, "main.js") and "return b;" in join(folder, "other.js")
    assert "return b;" not in join(folder, "main.js")


def test_without_its_entry_a_folder_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"the entry script main\.js is not there"):
        join(written(tmp_path, {"two.js": TWO}), "main.js")


UNKNOWN = [
    'import { a as b } from "./two.js";',
    'import * as two from "./two.js";',
    'import a from "./two.js";',
    'import "./two.js";',
    'import { a } from "two";',
    "import { a } from './two.js';",
    'import { a } from "./two.js"; f();',
    '  import { a } from "./two.js";',
    'const two = await import("./two.js");',
    "  f(import.meta.url);",
    'export { a } from "./two.js";',
    'export * from "./two.js";',
    "export { f };",
    "export default f;",
    "export default function f() {}",
    "export var g = 1;",
    "export function* g() {}",
    "const [g, h] = [1, 2];",
    "let g, h;",
    "f();",
    "if (f) f();",
]


@pytest.mark.parametrize("line", UNKNOWN)
def test_forms_that_are_not_known_are_refused(line: str) -> None:
    """With the script and the line."""
    with pytest.raises(ValueError, match=re.escape(f"x/one.js:3: this form is not known: {line}")):
        read("x/one.js", f"// One.\n\n{line}\n\nfunction f() {{}}\n")


SENTENCE_FOLDERS = ("sentences/", "parsing/", "deletion/", "transduction/")
OF_PAGES = {
    ENTRY: (),
    EXPLORER: ("explorer/",),
    RACE: ("race/",),
    SWEEP: ("sweep/", "sentences/", "deletion/", "transduction/"),
    DECODER: ("decoder/",),
    SENTENCES: SENTENCE_FOLDERS,
    EVERYTHING: ("everything/", "decoder/", "why/", *SENTENCE_FOLDERS),
    BOARD: ("board/",),
    COMPRESSIONS: ("compressions/",),
    TRAININGS: ("trainings/",),
}
"""The folders that only the page of an entry needs, or few others."""


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_one_module_has_every_script_and_no_import(entry: str) -> None:
    """But for the other entries, and what belongs to other pages alone; the race needs little."""
    text = module_text(entry)
    own = OF_PAGES[entry]
    if entry in (RACE, BOARD, COMPRESSIONS, TRAININGS):
        mine = [script for script in SCRIPTS if script.name.startswith(own)]
    else:
        folders = tuple({one for more in OF_PAGES.values() for one in more} - {*own})
        others = [ENTRY, *(f"player/{name}.js" for name in ("mounting", "lecture", "presenter"))]
        others = others if entry in (EXPLORER, SWEEP) else others[:1]
        others = [] if entry == ENTRY else [*others, *({*ENTRIES} - {entry})]
        mine = [s for s in SCRIPTS if s.name not in others and not s.name.startswith(folders)]
    assert mine
    assert text.count("\nexport ") == 1 and text.endswith("\nexport default { render };\n")
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert all(script.body in text for script in mine)
    places = {script.name: text.index(script.body) for script in mine}
    assert places[entry] == max(places.values())


# --- brevity ------------------------------------------------------------------------------------


def test_brief_keeps_the_program() -> None:
    """Comments and indentation go; strings, templates, line ends and doubled signs stay."""
    text = """
// A comment.
const a = [
  1, /* two
  */ 2,
];  // "not a string
    let b = a
    let c = `  // no comment
      ${ { x: `in  ${ a }  ` }.x }  /* none */
    ` + "  // none  " + 'it''s' // gone
const d = b / c / 2 + /[/"]  \\/{/.test(c) ? `}` : a
  (b)
  d + +d - -d
"""
    assert brief(text) == (
        "const a= [1,2,];\nlet b=a\n"
        "let c=`  // no comment\n      ${{x:`in  ${ a }  `}.x }  /* none */\n    `+"
        "\"  // none  \"+'it''s'\n"
        'const d=b/c/2+ /[/"]  \\/{/.test(c) ?`}`:a\n(b)\nd+ +d- -d'
    )


def test_brief_says_where_a_template_does_not_end() -> None:
    with pytest.raises(ValueError, match="a template does not end: `and so"):
        brief("const a = `and so on;\n")


def test_the_brief_module_is_the_module() -> None:
    """Piece for piece; only what is between the pieces differs."""
    whole, short = (
        [token for token in tokens(text) if token[0] not in ("space", "comment")]
        for text in (f"{module_text()}\nmountPage(globalThis.wordorderPage);", page_module_text())
    )
    assert whole == short
    assert len(page_module_text()) < 0.85 * len(module_text())


# --- each script as an ES module ----------------------------------------------------------------


def imported(script: Script) -> list[str]:
    """The names that a script imports."""
    return [name for _, names in script.imports for name in names]


@pytest.mark.parametrize("script", SCRIPTS, ids=IDS)
def test_every_name_is_declared_or_imported(script: Script) -> None:
    """Joined into one scope, a missing import would go unnoticed.

    Local names are told apart from imported ones by being others: none is a name that some script
    exports, so none can stand for one that is missing.
    """
    names = Names(script.body)
    theirs = {name for one in SCRIPTS if one is not script for name in one.exported}
    assert not names.local & theirs, "local names that another script exports"
    assert not unknown(names, imported(script)), "names that are not imported"
    assert not set(imported(script)) - names.used, "imported, and not used"
    assert len(imported(script)) == len(set(imported(script)))


def test_every_exported_name_is_imported() -> None:
    """Except the functions that pages call."""
    wanted = {(other, name) for s in SCRIPTS for other, names in s.imports for name in names}
    given = {(script.name, name) for script in SCRIPTS for name in script.exported}
    assert sorted(script for script, _ in given - wanted) == ENTRIES


READ = {
    "f(a, b.c, { d: e, g, 'h': i }, j?.k)": "f a b e g i j",
    "const { a: [b, , c = d], ...e } = f, g = (h) => h, i = { j(k) { l } };": "d f l",
    "function a(b, { c = d } = {}) {} class E extends F { get g() { return this.h; } }": "F d",
    "for (const [a, b] of c) try { d ? e : f } catch (g) { g }": "c d e f",
    "`a ${b} c ${`d ${e}`} ${f}` + /g/ + 'h'": "b e f",
    "a = async (b) => c / d / e; // f": "a c d e",
    "return x ? { a: y } : [z];": "x y z",
}


@pytest.mark.parametrize("text", READ)
def test_the_reader_of_names(text: str) -> None:
    names = Names(text)
    assert names.used - names.local == set(READ[text].split())


def test_the_reader_notices_what_is_missing() -> None:
    assert unknown(Names("export const a = (b) => c(b, d, Math);"), ["c"]) == {"d"}


LOGS: dict[str, Callable[[], wl.EventLog]] = {
    "best-first": best_first_log,
    "ccg": ccg_log,
    "beam": lambda: ordering_log(3),
    "early update": training_log,
    "guided learning": guided_log,
    "transduction": compression_log,
    "parsing": parsing_log,
    "deletion": deletion_log,
}

THROUGH = """async ([data, views]) => {
  const {mountEverything} = await import("/everything/hosts.js");
  const place = document.querySelector("main");
  place.replaceChildren();
  mountEverything({place, source: "", data});
  const player = wordorderPlayer, seen = [];
  for (const view of views) {
    player.setView(view);
    for (const quiz of [false, true]) {
      if (player.quiz.on !== quiz && player.quiz.possible) player.toggleQuiz();
      player.go(0);
      for (let i = 0; i < 6; i += 1) player.step(1);
      for (let i = 0; i <= 20; i += 1) {
        player.go(Math.round(player.clock.last * i / 20));
        const card = player.root.querySelector("[data-serial]");
        card?.dispatchEvent(new MouseEvent("click", {bubbles: true}));
      }
    }
    player.quiz.on = false;
    player.go(player.clock.last);
    seen.push([player.narration.textContent, player.tableOf(0).rows.length]);
  }
  return seen;
}"""


@pytest.mark.parametrize("name", LOGS)
def test_the_browser_takes_the_scripts_as_they_are(served, name: str) -> None:
    """Native ES modules: a name that a script does not import is an error when it is used."""
    log = LOGS[name]()
    told = served.evaluate(THROUGH, [{**contents(log), "title": name}, views_of(log)])
    assert all(narration and rows for narration, rows in told)


def test_these_logs_have_all_views() -> None:
    assert {view for make in LOGS.values() for view in views_of(make())} == {*VIEWS}


# --- the texts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PATHS, *sorted(FOLDER.rglob("*.css"))], ids=lambda p: p.name)
def test_lines_and_files_are_short(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 400
