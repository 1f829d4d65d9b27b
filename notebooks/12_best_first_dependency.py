# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Best-first search over dependency trees
#
# **90 minutes**, or two lessons: sections 1 to 5 (the search, on paper) and 6 to 8 (what learning
# is for, and reading the players). You need: [Start here](00_start_here.ipynb), and to know what a
# dependency tree looks like. Nothing of [Guided learning](11_guided_learning.ipynb) is needed; that
# one builds on sections 1 to 4 here, so this may well be read first.
#
# [Glossary](glossary.md) · [Solutions](solutions/12_best_first_dependency.py) ·
# paper: [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229), sections 3.3, 3.4 and 4
#
# After this notebook you can
#
# - follow Algorithm 4 on paper: every pop, with the agenda, the chart and the scores;
# - say why scores are divided by the number of actions, and what goes wrong without it;
# - say what a full chart, a limit and a given arc do to the search;
# - explain why a search without learning finds nothing in time, though everything is allowed;
# - answer from a player: why was this edge popped before that one, and when was gold lost?

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_12, small_search, trained
from wordorder_lab.plots import lines, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
train, dev = corpus.train, corpus.dev

# %%
log = wl.EventLog()
search = small_search.search_by_hand(trace=log)
search.run()
wl.play(log, view="agenda")

# %% [markdown]
# *IBM bought Lotus*, put together by a search with seven weights. Bars are the top of the agenda,
# the best first; below stands which edge was popped, and what it was made of. Section 2 works out
# each of these eight pops.
#
# ## 1 · Edges, agenda, chart
#
# [Transition-based ordering](20_transition_based.ipynb) writes a sentence from left to right. Here
# we build it like a mobile: small pieces first, and any two pieces may be joined.
#
# An **edge** is a piece of sentence with its tree: some words of the bag, in order, with all but
# one of them hanging below another. A single word with a tag is an edge, too: a *leaf*. From two
# edges with different words, COMBINE makes four larger ones. Of *IBM* and *bought*:
#
# | | *HeadLeft*: the left part brings the head | *HeadRight*: the right part does |
# | --- | --- | --- |
# | IBM before bought | IBM → bought | IBM ← bought |
# | bought before IBM | bought → IBM | bought ← IBM |
#
# (An arrow points from a head to its dependent. One more rule stands in section 6 of the paper, so
# that no tree is built in two ways: a word takes its right dependents before its left ones.)
#
# There are far too many edges to make them all. So **best-first search** keeps two piles:
#
# - the **agenda**: edges that have been made and scored, and wait. The best one is on top;
# - the **chart**: edges that have been on top already. They are what new edges are made with.
#
# Algorithm 4 is one loop. Take the best edge *e* off the agenda (POPBEST). If it has all the words,
# it is a *goal*, and the search ends. Otherwise combine *e* with every edge of the chart, put what
# comes of it on the agenda, and *e* into the chart. That is all:
#
#     while not TIMEOUT()
#       e ← POPBEST(agenda)
#       if GOALTEST(e) then return e
#       for e~ in chart:  e + e~ and e~ + e, HeadLeft and HeadRight, go on the agenda
#       ADD(chart, e)
#
# Two edges can only meet if one is in the chart when the other is popped. Keep that in mind: most
# of what follows hangs on it.
#
# ## 2 · By hand: "IBM bought Lotus"
#
# The paper's example, three words. A model has millions of weights; ours has seven, so that the
# arithmetic fits on paper. Three templates look at an edge: its head word and size, the tags of the
# newest arc, and the two words at the seam.

# %%
table(small_search.BY_HAND.items(), ["feature", "weight"], formats={"weight": "{:g}"})

# %% [markdown]
# A verb likes nouns below it, a little more on its right than on its left; a noun does not want a
# verb. *IBM bought* and *bought Lotus* are word pairs that somebody has seen before. (The feature
# for *bought, 1* is that of the leaf.)
#
# The score of an edge is that of its parts, and what the last action adds. The search does not go
# by this sum f(e), but by f(e) / |e|, where **|e| is the number of actions** that built the edge: 1
# for a leaf, 1 + 1 + 1 = 3 for two words, 5 for three.
#
# Here are all edges that the search makes, in the order of their making. Take a pencil, and work
# out *IBM ← bought* and *bought → Lotus* before you look at them.

# %%
table(small_search.sums(search))

# %% jupyter={"source_hidden": true} tags=["hidden"]
edges = small_search.edges_made(search)
by_name = {row[""]: edge for row, edge in zip(small_search.sums(search), edges)}
assert [edge.serial for edge in edges] == list(range(1, 31))
assert by_name["IBM ← bought"].total == 0 + 1 + 6 + 2 and by_name["IBM ← bought"].score == 9 / 3
assert by_name["bought → Lotus"].total == 1 + 0 + 3 + 3 == 7
assert by_name["IBM ← (bought → Lotus)"].total == 0 + 7 + 6 + 2
assert by_name["IBM ← (bought → Lotus)"].actions == 5
assert "(IBM ← bought) → Lotus" not in by_name, "right dependents come first"

# %% [markdown]
# Now the search, pop by pop: what is on the agenda before each pop, what is popped, how many edges
# are made, what is in the chart afterwards. Equal scores go to the edge that was made first.

# %%
by_hand = small_search.pop_by_pop(log)
table(by_hand)

# %% [markdown]
# Read it row by row.
#
# - **Pop 1 and 2.** The leaves. *bought* has a point, the nouns have none; *IBM* was made before
#   *Lotus*. Nothing can be combined before a second edge has come.
# - **Pop 3.** *IBM ← bought*, 3.00, looks like the best thing in the world. But *Lotus* is not in
#   the chart yet, so it finds no partner; and it will never take *Lotus* as its object, for it has
#   a dependent on its left already.
# - **Pop 4 and 5.** Two edges with 4 / 3. Only the order of their making decides.
# - **Pop 6.** At last *Lotus*. It meets all five edges of the chart: 19 new edges, eleven of them
#   with all three words. These are goals, but none of them has been popped yet.
# - **Pop 7 and 8.** *bought → Lotus*, 2.33, comes before the best of those goals, *Lotus ← (IBM ←
#   bought)* with 2.20. It takes *IBM*, and what comes of it has 15 / 5 = 3.00. That is popped next,
#   and the search ends.
#
# Go back to the picture on top: step with the arrow keys, then press **quiz**, and it asks you
# which edge is popped next.
#
# And the chart. Word order is free, so a column has all edges with so many words. Click on an edge,
# and see what it was built of. Below it stands **Drive**: pick any two edges, and press **what do
# they make?** (Why do *IBM ← bought* and *Lotus* make three edges, and not four?)

# %%
wl.play(log, view="chart", drive=small_search.drive(search))

# %% jupyter={"source_hidden": true} tags=["hidden"]
popped = [event[1:] for event in log if event[0] == "popped"]
scores_by_hand = [1, 0, 9 / 3, 4 / 3, 4 / 3, 0, 7 / 3, 15 / 5]
assert all(abs(score - wanted) < 1e-9 for (_, score), wanted in zip(popped, scores_by_hand))
assert len(popped) == len(by_hand) == 8
assert [row["popped"] for row in by_hand][2:5] == ["IBM ← bought", "IBM → bought", "bought → IBM"]
assert [row["made"] for row in by_hand] == [0, 4, 0, 0, 0, 19, 4, 0]
goals_at_6 = [e for e in edges if e.size == 3 and e.serial <= 26]
assert len(goals_at_6) == 11 and max(e.score for e in goals_at_6) == 11 / 5
assert search.goals[0] is by_name["IBM ← (bought → Lotus)"] and search.stopped == "complete"

# %% [markdown]
# ## 3 · Plain or scaled
#
# Why divide? Take the sum f(e) itself, and run the same search again:

# %%
plain_log = wl.EventLog()
plain = small_search.search_by_hand(scaled=False, trace=plain_log)
plain.run()
plain_by_hand = small_search.pop_by_pop(plain_log)
table(plain_by_hand)

# %% [markdown]
# *Lotus ← (IBM ← bought)*, "Lotus IBM bought", is popped with 11 points, before *bought → Lotus*
# with 7 had a chance. The sentence that would have had 15 was never made.
#
# A sum grows with every action that pays. So **a mediocre long edge beats a good short one**, and
# the search runs to the end with what it happened to put together first. (If most weights are
# negative, it is the other way round: every action costs, short edges are always ahead, and the
# search never gets anywhere.) On one agenda lie edges of all sizes. To compare them, one needs a
# score that does not depend on the size: the *average* gain of an action.
#
# | | f(e) | \|e\| | f(e) / \|e\| |
# | --- | --- | --- | --- |
# | Lotus ← (IBM ← bought) | **11** | 5 | 2.20 |
# | bought → Lotus | 7 | 3 | **2.33** |
#
# A and B on one clock; press **first difference**.

# %%
wl.play(log, plain_log, view="agenda", names=("scaled", "plain"))

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert [row["popped"] for row in plain_by_hand][-1] == "Lotus ← (IBM ← bought)"
assert plain.goals[0].total == 11 and by_name["bought → Lotus"].total == 7
assert max(e.total for _, e in plain.agenda.heap) == 9, "15 was never made"
assert [row["popped"] for row in plain_by_hand][:6] == [row["popped"] for row in by_hand][:6]

# %% [markdown]
# In the papers of 2011 and 2012 scores were plain, and the chart had a beam for each size, so that
# edges of different sizes did not compete there at least. Zhang (2013) had scaled scores already
# (the article of 2015 says so, section 5.3). With these the article takes one beam for all sizes.
#
# ## 4 · A full chart, a limit
#
# The chart is a **beam**: it has so many places. If an edge more comes, the lowest-scored one is
# dropped, of equal ones the one that was made last. And whoever is not in the chart is not met any
# more. Here is what comes out with a small chart, and which edges were dropped when:

# %%
forms, rows = [item.form for item in search.problem.items], []
for beam in (2, 16):
    cut_log = wl.EventLog()
    best = small_search.search_by_hand(beam=beam, trace=cut_log).run()[0]
    text = " ".join(forms[i] for i in best.items)
    cuts = [f"edge {serial} at pop {pop}" for serial, pop in nb_12.dropped(cut_log)]
    rows.append({"chart": beam, "output": text, "dropped": ", ".join(cuts) or "-"})
table(rows)

# %% [markdown]
# With two places the leaf *IBM*, edge 1, is dropped before *Lotus* has come, and *bought → Lotus*
# has nobody to buy it. *IBM* was a good edge with a low score: a **search error**, and it is the
# chart's.
# (Exercise 12.1: what is the smallest chart that will do?)
#
# The other way to end too early is a **limit**: so many expansions (pops), or seconds. Then there
# is no goal, and a *default output* is put together from the chart: the largest edge first, then
# whatever still fits, one after the other.

# %%
rows = []
for pops in (1, 2, 3, 6, 7, 8):
    short = small_search.search_by_hand(expansions=pops)
    best = short.run()[0]
    text = " ".join(forms[i] for i in best.items)
    trees = best.heads.count(-1)
    rows.append({"pops": pops, "stopped": short.stopped, "output": text, "trees": trees})
table(rows)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert [row["stopped"] for row in rows] == ["expansions"] * 5 + ["complete"]
assert rows[3]["output"] == "IBM bought Lotus" and rows[3]["trees"] == 2
assert rows[-1]["trees"] == 1 and rows[0]["output"] == "bought"

# %% [markdown]
# After six pops the default output happens to be the right sentence, in two pieces. Before that,
# words are missing: with these systems an output may be *shorter* than its bag, which the
# transition system never does. The paper (section 5.3) says that more time finds better outputs.
# Our run on the Penn sample (`zhang-clark-2015-section-5-3`) asks it of seconds, as the paper does,
# with nothing given; and, with tags given, of expansions, which are the same on every machine:

# %%
table(wl.claims_table("zhang-clark-2015-section-5-3"))

# %% [markdown]
# With 50 expansions BLEU is 38.5, with 200 it is 40.3, with 1,000 it is 41.8. What 10,000 add to
# that (42.1) may be chance.
#
# ## 5 · When arcs are given
#
# Partial trees, whole trees and bare bags are one and the same search: COMBINE makes no edge where
# the new link contradicts what is given. That is nearly all. Let *IBM* be given as a dependent of
# *bought*, then *Lotus*, too:

# %%
given = {
    "nothing": [None, None, None],
    "bought → IBM": [1, None, None],
    "both arcs": [1, None, 1],
    "both, and that bought is the root": [1, -1, 1],
}

# %%
rows = []
for name, heads in given.items():
    forced_log = wl.EventLog()
    forced = small_search.search_by_hand(heads=heads, trace=forced_log)
    forced.run()
    words = [item.form for item in forced.problem.items]
    rows.append(
        {
            "given": name,
            "edges made": forced.serial,
            "pops": forced.expansions,
            "output": small_search.drawn(forced.goals[0], words),
        }
    )
table(rows)

# %% [markdown]
# Why are the last two lines alike? With both arcs given, *bought* is the only word left that can be
# the root.
#
# Which links does a given arc forbid? If *bought → IBM* is given, *IBM* may have no other head:
# that is the paper's rule (section 4.3). Another follows from section 6, where a word has all its
# dependents before it is attached itself. So *bought* may not be attached anywhere before it has
# *IBM*, or the edge would lead nowhere. Here is what is left of the 30 edges with that arc:

# %%
one_log = wl.EventLog()
one_arc = small_search.search_by_hand(heads=given["bought → IBM"], trace=one_log)
one_arc.run()
left_over = [row[""] for row in small_search.sums(one_arc)]
print(" | ".join(sorted(left_over)))

# %% [markdown]
# **Drive** again: pick *IBM* and *bought*, and read why two of the four edges are refused. Then
# *bought* and *Lotus*.

# %%
wl.play(one_log, view="chart", drive=small_search.drive(one_arc))

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert rows[0]["edges made"] == 30 > rows[1]["edges made"] > rows[2]["edges made"]
assert rows[2]["edges made"] == rows[3]["edges made"]
leaf = {
    item.form: {"item": number, "form": item.form, "pos": item.pos}
    for number, item in enumerate(one_arc.problem.items)
}
answers = small_search.drive(one_arc)({"left": leaf["IBM"], "right": leaf["bought"]})["outcomes"]
assert sum(answer["why"] is not None for answer in answers) == 2
assert not any("IBM → bought" in edge for edge in left_over)
assert all(row["output"] == "IBM ← (bought → Lotus)" for row in rows)

# %% [markdown]
# What are given arcs worth? The paper's Table 7 says: more than given tags, and the more the
# better. Its footnote 3 says that a model which learned without them is better at using them
# (76.28) than one that had them in training (74.79). Our record on the Penn sample:

# %%
table(wl.claims_table("zhang-clark-2015-table-7"))

# %% [markdown]
# A model trained with neither has 37.8 BLEU with nothing given, 40.7 with all tags, 75.4 with all
# arcs and 79.5 with both: as in the paper. The footnote does not come out: trained with both it has
# 81.2. If anything that is a gain, but not a significant one (p = 0.1, and one training each). We
# know no reason for either direction.
#
# ## 6 · Nothing learned
#
# Three words are easy. In their paper of 2011, Zhang and Clark set all weights of their model to
# zero: "the search algorithm cannot find a result for the first sentence in the development data
# within two hours". Let us do the same, beside a model that has learned from a few sentences.

# %%
few = [sentence for sentence in train if len(sentence) <= 15][:600]
settings = {"epochs": 3, "beam": 32, "expansions": 500}
model = trained(few, "zhang-clark-2015-dependency", **settings)
zero = nb_12.without_weights(model)  # the same model, all weights 0

LIMIT = 3000


def of_length(units):
    """A sentence with so many units: one that was not learned, if there is one."""
    return next(sentence for sentence in [*dev, *train] if len(sentence) == units)


# %%
rows = []
for length in (4, 5, 6, 7, 8):
    sentence = of_length(length)
    row = {"units": length}
    for name, one in (("zero", zero), ("trained", model)):
        result = one.order(wl.bag_of(sentence), expansions=LIMIT)
        pops = result.counters["expansions"]
        row[f"pops, {name}"] = f"{pops:,}" if result.stopped == "complete" else "no goal"
        row[f"edges made, {name}"] = f"{result.counters['edges']:,}"
    rows.append(row)
table(rows)

# %% [markdown]
# The same grammar, the same agenda, the same chart. The trained model pops a few edges a word.
# The other one needs many times as many with each word more, and is given up at 3,000 pops.
#
# Why? With all weights 0 every edge scores 0, and the rule for ties is all there is: *the edge that
# was made first*. Old before new, whatever the size: that is **breadth-first search**. Goals are
# made late. So nearly everything small is looked at before them, and there is more of it with every
# word than anybody has time for. The trained model goes for depth where things look good.
#
# **Learning does not only say which sentence is best. It tells the search where to go.** That is
# what [Guided learning](11_guided_learning.ipynb) is about. (And exercise 12.3: can another rule
# for ties help a model that knows nothing?)
#
# Watch it, on the shortest of these sentences. Where is B when A has found its goal? Look at the
# size of the two agendas, and at the gold edges: they are marked.

# %%
four = of_length(4)
both = {}
for name, one in (("trained", model), ("all weights 0", zero)):
    raw = wl.EventLog()
    one.order(wl.bag_of(four), trace=raw)
    both[name] = wl.marked_gold(raw, four)
wl.play(*both.values(), view="agenda", names=tuple(both))

# %%
sizes = {name: nb_12.agenda_sizes(one) for name, one in reversed(both.items())}
lines(sizes, x="pop", y="edges on the agenda", log="xy")

# %% jupyter={"source_hidden": true} tags=["hidden"]
needed = [row["pops, trained"] for row in rows]
assert "no goal" not in needed and max(int(pops) for pops in needed) < 300
assert [row["pops, zero"] for row in rows][-2:] == ["no goal", "no goal"]
assert {event[2] for event in both["all weights 0"] if event[0] == "popped"} == {0}
serials = [event[1] for event in both["all weights 0"] if event[0] == "popped"]
assert serials == sorted(serials), "breadth first: in the order of making"

# %% [markdown]
# ## 7 · Best-first or transition-based?
#
# The transition system of [notebook 20](20_transition_based.ipynb) keeps the k best states of every
# step. Best-first search has no steps. What does that change? The same bag for both: where
# A pops one edge, B takes one step with its whole beam.

# %%
beam_model = trained(few, "liu-2015", epochs=5, beam=16)
sentence = of_length(6)
versus = {}
for name, one in (("best-first", model), ("transition-based", beam_model)):
    raw = wl.EventLog()
    print(f"{name:18}{one.order(wl.bag_of(sentence), trace=raw).text}")
    versus[name] = raw
versus["best-first"] = wl.marked_gold(versus["best-first"], sentence)
wl.play(*versus.values(), names=tuple(versus))

# %%
held_out = dev[:100]
rows = []
for name, one in (("best-first", model), ("transition-based", beam_model)):
    scores = wl.evaluate(one, held_out).scores
    rows.append(
        {
            "": name,
            "BLEU": f"{scores.bleu_cased:.1f}",
            "words in the output, of all": f"{scores.brevity:.1%}",
            "milliseconds a sentence": f"{scores.ms_per_sentence:.1f}",
        }
    )
table(rows)

# %% [markdown]
# - In the beam, all states of one step have taken equally many actions. On the agenda, short and
#   long edges compete; hence section 3.
# - The beam search is done after 2n - 1 steps, whatever happens. Best-first search is quick where
#   the model is sure, and may run into its limit where it is not.
# - Best-first search may start anywhere in the sentence, with what is easiest. The beam has to
#   begin with the first word.
#
# Do not read anything into two numbers from 100 sentences, with models that have read 600, one for
# three epochs and one for five, and milliseconds of one machine. `wordorder-lab reproduce` lists
# our runs of the papers' comparisons, on more sentences and with intervals.
#
# ## 8 · From the view alone
#
# A good picture answers questions. Here are three sentences of the Gazette, ordered by a small
# model with a chart of **eight** places. Gold edges are marked. Whatever `CORPUS` says above, these
# are the same for everyone.
#
# Take the players, and answer without a line of code: **why was this edge popped before that one?**
# (Go to the pop, and *pin* the edge that came later, by its number.) There are three possible
# reasons, and you are asked for one a sentence:
#
# - `"higher score"`: both were on the agenda, and one scored higher;
# - `"not there yet"`: the other one had not been made;
# - `"made first"`: equal scores, so the older one goes first.

# %%
searches = small_search.searches()
table(nb_12.pops_asked())

# %%
wl.play(searches[0], view="agenda", title=small_search.CHOSEN[0])

# %%
wl.play(searches[1], view="agenda", title=small_search.CHOSEN[1])

# %%
wl.play(searches[2], view="agenda", title=small_search.CHOSEN[2])

# %% [markdown]
# Then switch the same players to the view *Chart contents*: **when did the first gold edge leave
# the chart?** (Choose **pruned** and press **jump to**.) The answers are handed in as exercises
# 12.4 and 12.5.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(searches) == len(nb_12.pops_asked()) == len(small_search.CHOSEN) == 3
for log_of_one in searches:
    assert log_of_one.events[0][-1] == 8 and any(event[0] == "finished" for event in log_of_one)
    assert {event[6] for event in log_of_one if event[0] in ("leaf", "edge")} == {0, 1}

# %% [markdown]
# ## 9 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is shown where it goes
# wrong, and gets a hint; `check.hint("12.1")` asks for one, `check.solution("12.1")` opens when the
# hints are used up. The answers are compared with what the engine really does.
#
# **12.1** (3 minutes) How many places must the chart have at least, so that the search of section 2
# still finds *IBM ← (bought → Lotus)*?

# %%
places = ...
check("12.1", places)

# %% [markdown]
# **12.2** (3 minutes) Change *one* of the seven weights, such that the **plain** search of section
# 3 finds it, too. A dictionary with one entry, such as `{"WORD(B-1)·WORD(B) = bought, Lotus": 4}`.

# %%
one_weight = ...
check("12.2", one_weight)


# %% [markdown]
# **12.3 Break the tie-breaking.** (6 minutes) All weights are 0, so the agenda has nothing but
# ties, and the engine takes the edge that was made first. Write another key: the edge with the
# smallest key is popped first (among equal scores; the engine's own is `edge.serial`). With yours,
# a goal must be found within three pops a unit. An edge has `serial`, `size` (in units), `left` and
# `right` (its parts, or `None`). It is plugged into the reference engine.


# %%
def my_key(edge):
    return ...


check("12.3", my_key)

# %% [markdown]
# **12.4 From the view alone.** (3 minutes) Why was the first edge popped before the other one, in
# each of the three searches of section 8? `"higher score"`, `"not there yet"` or `"made first"`.

# %%
reasons = [..., ..., ...]
check("12.4", reasons)

# %% [markdown]
# Look once more at pops 10 and 11 of the third sentence. Which two sentences do they build, and why
# can this model not tell them apart? (Two noun phrases, two tags NP. Which templates see more of
# them, and what would the model have had to read?)
#
# **12.5 From the view alone.** (3 minutes) At which pop does the first gold edge leave the chart,
# in each of the three searches? Pops are counted from 1; `None` if no gold edge ever leaves it.

# %%
leaves_at = [..., ..., ...]
check("12.5", leaves_at)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"12.{i}", ...).right is None for i in range(1, 6))

# %% [markdown]
# ## Where to read on
#
# - Paper: [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229). Section 3.3 is the scaled
#   score, 3.4 agenda and chart (there for CCG), 4.3 has Algorithm 4. The model of zeros is in
#   [Zhang and Clark 2011](https://aclanthology.org/D11-1106/), section 5.
# - Code: `wordorder_lab/best_first/dependency.py` (Algorithm 4 stands on top),
#   `wordorder_lab/best_first/search.py` (POPBEST, ADD, TIMEOUT),
#   `wordorder_lab/best_first/dependency_links.py` (section 5),
#   `wordorder_lab/best_first/output.py` (section 4).
# - Next: [Guided learning](11_guided_learning.ipynb), where the weights come from;
#   [Best-first search with categories](10_best_first_ccg.ipynb), where a grammar says which edges
#   may be joined. And [the glossary](glossary.md).
