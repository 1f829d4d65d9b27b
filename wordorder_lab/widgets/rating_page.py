"""The rating form as a page of its own: no network, no kernel, answers saved as CSV.

Everything that is judged stands in the page as JSON and is shown as text only, so that no output of
a system is ever read as HTML. Answers are kept in the browser until they are saved, where it lets
a page do that. The page never shows which system a version is of; who reads its source finds it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence

from wordorder_lab.structures.rating_plan import COLUMNS, QUESTIONS, SCALE, RatingItem

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@title@</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; }
body { padding: 0 1rem; }
blockquote { margin: .3rem 0 1rem; padding: .5rem 1rem; border-left: .25rem solid currentColor; }
fieldset { border: 1px solid; border-radius: .4rem; margin: 0 0 1rem; }
label { display: inline-block; padding: .3rem .8rem; cursor: pointer; }
button, select { font: inherit; padding: .3rem .9rem; margin: 0 .5rem .5rem 0; }
small { opacity: .8; }
</style></head><body>
<h1>@title@</h1>
<p><label>You are <select id="rater"></select></label> <span id="progress" role="status"></span></p>
<p>A sentence</p><blockquote id="source"></blockquote>
<p>and a short version of it</p><blockquote id="output"></blockquote>
<form id="questions"></form>
<p><button id="back">Back</button><button id="next">Next</button>
<button id="save">Save the answers</button></p>
<p><small>1 is worst, 5 is best. Keys: Tab and the arrow keys. Saving writes a CSV file; what is
not judged yet is left out of it.</small></p>
<script type="application/json" id="data">@data@</script>
<script>
"use strict";
const at = (id) => document.getElementById(id);
const { plan, questions, scale, columns, key } = JSON.parse(at("data").textContent);
const names = Object.keys(questions);
let answers = {}, rater = Object.keys(plan)[0], place = 0;
try { answers = JSON.parse(localStorage.getItem(key)) || {}; } catch { /* kept nowhere then */ }
function keep() {
  try { localStorage.setItem(key, JSON.stringify(answers)); } catch { /* as above */ }
}
function given(item) { return (answers[rater] || {})[item.sentence] || {}; }
function done() { return plan[rater].filter((one) => names.every((n) => given(one)[n])).length; }
function add(parent, kind, text) {
  const made = parent.appendChild(document.createElement(kind));
  if (text !== undefined) made.textContent = text;
  return made;
}
function show() {
  const item = plan[rater][place];
  at("source").textContent = item.source;
  at("output").textContent = item.output;
  const form = at("questions");
  form.replaceChildren();
  for (const name of names) {
    const box = add(form, "fieldset");
    add(box, "legend", questions[name]);
    for (const value of scale) {
      const label = add(box, "label"), radio = add(label, "input");
      Object.assign(radio, { type: "radio", name, value, checked: given(item)[name] === value });
      radio.addEventListener("change", () => answer(item, name, value));
      label.append(" " + value);
    }
  }
  at("back").disabled = place === 0;
  at("next").disabled = place === plan[rater].length - 1;
  tell();
}
function tell() {
  at("progress").textContent = `${place + 1} of ${plan[rater].length}, ${done()} judged`;
}
function answer(item, name, value) {
  answers[rater] = answers[rater] || {};
  answers[rater][item.sentence] = { ...given(item), [name]: value };
  keep();
  tell();
}
function csv() {
  const quoted = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const cell = (value) => /[",\\r\\n]/.test(value) ? quoted(value) : value;
  const lines = [columns];
  for (const who of Object.keys(plan)) for (const one of plan[who]) {
    const said = (answers[who] || {})[one.sentence] || {};
    const row = { rater: who, sentence: one.sentence, system: one.system, ...said };
    if (names.every((name) => said[name])) lines.push(columns.map((name) => cell(row[name])));
  }
  return lines.map((line) => line.join(",")).join("\\n") + "\\n";
}
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  link.download = "ratings.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
for (const who of Object.keys(plan)) add(at("rater"), "option", who);
at("rater").addEventListener("change", () => { rater = at("rater").value; place = 0; show(); });
at("back").addEventListener("click", () => { place -= 1; show(); });
at("next").addEventListener("click", () => { place += 1; show(); });
at("save").addEventListener("click", save);
show();
</script></body></html>
"""
"""The page; ``@title@`` and ``@data@`` are filled in."""


def rating_page(plan: Mapping[str, Sequence[RatingItem]], title: str, key: str) -> str:
    """The page of a plan; ``key`` tells its answers from those of other plans in one browser."""
    items = {
        rater: [
            {"sentence": i.sentence, "system": i.system, "source": i.source, "output": i.output}
            for i in of_rater
        ]
        for rater, of_rater in plan.items()
    }
    data = {
        "plan": items,
        "questions": QUESTIONS,
        "scale": SCALE,
        "columns": COLUMNS,
        "key": key,
    }
    packed = json.dumps(data).replace("<", "\\u003c")  # no text ends the script
    return PAGE.replace("@title@", html.escape(title)).replace("@data@", packed)
