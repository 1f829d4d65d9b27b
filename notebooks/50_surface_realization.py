# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Surface realization
#
# **90 minutes**, or two lessons: sections 1 to 4 (lemmas, forms, one search for both, gold from
# plain text), then 5 to 7 (real trees, faults). You need:
# [Best-first search with dependencies](12_best_first_dependency.ipynb), sections 1 to 3.
#
# [Glossary](glossary.md) · [Solutions](solutions/50_surface_realization.py) · paper:
# [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229), section 5.7
#
# After this notebook you can
#
# - say what stands between an unordered tree of lemmas and a sentence;
# - put several forms of a lemma into one bag, and follow a search that chooses among them;
# - say which choice needs the next word, and which one needs the tree;
# - map lemmas to the words of a plain sentence, by pruning from the bottom up;
# - read scores of realized sentences, and say what their faults cost.
#
# (The first run compiles the fast engines, which takes a minute or two more.)

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_50, trained
from wordorder_lab.plots import table, trees

CORPUS = "ewt"  # or "gum", "gazette", a .conllu file of your own

# %%
wl.realize("Tom and Sally are here.", trace=(everyday_log := wl.EventLog()))
wl.play(everyday_log)

# %% [markdown]
# A sentence was parsed, its words became lemmas (*are* became *be*), the lemmas went into a bag,
# and the model that comes with the lab made a sentence of them again. Now with a model so small
# that one can look at everything it does:

# %%
small = nb_50.small_trees()
how = {"english": False, "folds": 1, "capitals": False}
model = trained(small, "zhang-clark-2015-realization", **how)

# %%
honest, tom_and_sally = nb_50.honest_person(), nb_50.tom_and_sally()
model.realize(tom_and_sally, trace=(log := wl.EventLog()))
wl.play(log, view="chart")

# %% [markdown]
# Four names and little words and a *be*, in no order, have become a sentence; and *be* has become
# *are*. The line below the sentence says which form has won, and when the other one was last seen.
# Go back to the beginning, and see both wait on the agenda.
#
# What came in was this, on the left; and on the right, a smaller one:

# %%
trees({"Tom, Sally": nb_50.as_drawn(tom_and_sally), "honest": nb_50.as_drawn(honest)})

# %% [markdown]
# A **tree of lemmas**: each node a lemma with its tags and features, and the **label** of the arc
# to its head. That is what a program knows that has something to say, be it a translator or the
# answer to a question. **Surface realization** makes the sentence: words into their *order*, and
# lemmas into their *forms*.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert model.realize(tom_and_sally).text == "Tom and Sally are here"
assert model.realize(honest).text == "an honest person"
assert {"alternatives", "labels"} <= {event[0] for event in log}
assert all(tree.name not in ("an honest person", "Tom and Sally are here") for tree in small)

# %% [markdown]
# ## 1 · Candidates
#
# First the forms. What can stand in the sentence for a lemma? Mostly that is known: *child*,
# plural. Where it is not, *all* forms that are possible go into the bag:

# %%
table(nb_50.candidate_rows(model, tom_and_sally))

# %%
table(nb_50.candidate_rows(model, honest))

# %% [markdown]
# `is | are` is *one* unit of the bag. It is used once, in either form: the two exclude each other
# (the paper gives "a unique ID ... to all the inflections of the same lemma"). Nothing else in the
# search is new. A unit of which nobody knows the tag has an item for each tag; here it has one for
# each form.
#
# So how many sentences are there to choose from? Each head stands with its dependents in any order,
# and each lemma in any form:

# %%
table(
    {"tree": tree.name, "sentences": nb_50.how_many(tree, model.candidates(tree))}
    for tree in (honest, tom_and_sally)
)

# %% [markdown]
# Few enough to see them all, with what the model thinks of them (exercise 50.2 counts larger
# trees). `signature="none"` lets the search keep each of them; usually, of two edges with the same
# words and the same root only the better one stays.

# %%
table(nb_50.scored_rows(model, honest, k=12, signature="none"), places=3)

# %% jupyter={"source_hidden": true} tags=["hidden"]
for tree in (honest, tom_and_sally):
    number = nb_50.how_many(tree, model.candidates(tree))
    assert number == len(list(nb_50.every_sentence(tree, model.candidates(tree))))
assert nb_50.how_many(honest, model.candidates(honest)) == 12

# %% [markdown]
# ## 2 · *an honest person*: what the next word decides
#
# *a* or *an*? That depends on the sound of the word that comes next, and before the words have an
# order there is no next word. So the search has to know both at once:

# %%
model.realize(honest, k=12, signature="none", trace=(honest_log := wl.EventLog()))
wl.play(honest_log, view="agenda")

# %% [markdown]
# Each form has a leaf of its own, and each may stand in larger edges. `an honest person` and `a
# honest person` lie on the agenda side by side. One feature tells them apart: the **bigram** of the
# two words that meet (*an honest*), which the model has seen in other sentences. It has never seen
# *honest person*.

# %%
table(
    {"learned from": " ".join(tree.reference)}
    for tree in small
    if any(node.lemma == "a" for node in tree.nodes)
)

# %% [markdown]
# ## 3 · *Tom and Sally are*: what the tree decides
#
# Here the neighbour misleads. The word before *be* is *Sally*, and *Sally is* is good English. That
# there are two of them, the tree knows: *Tom* is the subject, and below *Tom* hangs another name as
# `conj`. When `Tom and Sally` is joined with its head, Table 2's features see the head, the
# dependent, *and the dependent's own dependents*: features of higher order.

# %%
model.realize(tom_and_sally, k=4, signature="none", trace=(sally_log := wl.EventLog()))
wl.play(sally_log, view="agenda")

# %% [markdown]
# The labels on the arcs are features, too. Section 5.7 takes each template of Table 2 that has a
# direction, and adds a copy that also looks at the label. Here every label was given. Where none
# is, the search gives them itself.
#
# The other way to do it is a **pipeline**: choose the most probable form of each lemma first, then
# order what you have. The inflector puts the more frequent form first. With nothing else to go by,
# what does it make of our two trees?

# %%
pipeline = trained(small, "zhang-clark-2015-realization", inflection="first", **how)
table(
    {"tree": tree.name, "joint": model.realize(tree).text, "pipeline": pipeline.realize(tree).text}
    for tree in (honest, tom_and_sally)
)

# %% [markdown]
# Both are wrong: *a* and *is* are more frequent. A pipeline can be given rules, of course (exercise
# 50.4). The paper's argument is that the context decides what rules leave open. These two sentences
# were chosen to show it, and prove nothing. Over 1,978 sentences of EWT it does not come out: a
# search that chooses forms inflects no better than the most probable form, or worse.

# %%
table(wl.claims_table("joint-inflection"))

# %% jupyter={"source_hidden": true} tags=["hidden"]
everything = nb_50.scored_rows(model, honest, k=12, signature="none")
assert len(everything) == 12 and everything[0]["sentence"] == "an honest person"
assert pipeline.realize(honest).text == "a honest person"
assert pipeline.realize(tom_and_sally).text == "Tom and Sally is here"
assert all(nb_50.first_pops(honest_log, form)[0] > 0 for form in ("a", "an"))

# %% [markdown]
# ## 4 · Gold from plain sentences
#
# Training wants trees with their words in order. The paper's shared task gave trees of lemmas, and
# beside them plain sentences. Which lemma is which word? Of *the man saw the old man* each *the*
# may be either, and each *man*:

# %%
print(" ".join(f"{place}:{word}" for place, word in enumerate(nb_50.TREE.reference)))
print(f"{nb_50.before_pruning(nb_50.TREE, nb_50.FORMS)} mappings, if each lemma takes any word")
trees({"": nb_50.as_drawn(nb_50.TREE)})

# %% [markdown]
# Now take the tree at its word. Without crossing arcs, a node and all below it stand in *one
# piece*. From the bottom up: keep for each node the places where such a piece can be, given those
# of its dependents.

# %%
table(steps := nb_50.spans_upwards(nb_50.TREE, nb_50.FORMS))

# %% [markdown]
# Cover the last two columns and do it by hand (exercise 50.3). In the last row stands how many
# mappings are left for the whole. Of the paper's 39 thousand sentences 36.2 thousand got a mapping
# so. Where several are left, one is drawn at random; where none is, mostly arcs cross, and the
# sentence is not learned from.

# %% jupyter={"source_hidden": true} tags=["hidden"]
mapped = nb_50.map_to_reference(nb_50.TREE, nb_50.FORMS, nb_50.TREE.reference)
assert mapped.ways == steps[-1]["ways"] == 1 and mapped.outcome == "one"

# %% [markdown]
# ## 5 · Real trees
#
# Trees of the English Web Treebank, if it is on your machine; short ones, so that all this takes a
# minute. (If not, you see the Gazette, whose sentences our own grammar made.)

# %%
real = nb_50.material(CORPUS)
print(real)
held_out = real.held_out
models = nb_50.learned(real, trained)

# %%
joint = models["zhang-clark-2015-realization"]
open_tree = nb_50.most_open(joint, held_out)
joint.realize(open_tree, trace=(real_log := wl.EventLog()))
wl.play(real_log, view="chart")

# %%
table(nb_50.candidate_rows(joint, open_tree))

# %% [markdown]
# How many forms does a lemma have? In the paper it is 1.15. More forms: more to choose wrongly
# from; fewer: the right one may not be among them, and then no search will find it.

# %%
print({name: round(value, 3) for name, value in nb_50.forms_counted(joint, held_out).items()})

# %% [markdown]
# The systems. Besides best-first search there is the transition system of notebook 20, with the
# same bags. And whoever has a whole tree can do without a search over sentences: order the
# dependents of each head by themselves, from the leaves to the root, as the best systems of 2011
# did (`bohnet-2011`, `guo-2011`).

# %%
made = nb_50.outputs(models, held_out)
place = nb_50.telling_tree(made, held_out)
table(nb_50.sentences_beside(made, held_out, place))

# %%
shares = {"right order": "{:.0%}", "right forms": "{:.1%}"}
table(scores := nb_50.score_rows(made, held_out), formats=shares, bar="BLEU")

# %% [markdown]
# - **BLEU** counts runs of one to four words that the reference has, too. **NIST** does, and lets
#   seldom ones weigh more. **DIST** counts signs (exercise 50.5). Capitals do not count here.
# - *right order*: sentences whose lemmas are all in the reference's order. *right forms*: of all
#   lemmas.
#
# A few hundred short sentences to learn from, five epochs, a few dozen to test: do not rank anybody
# by this. With all of the treebank's train part, the shared task's test part, and the paper's Table
# 10 beside it, `wordorder-lab reproduce` makes the record.

# %% [markdown]
# ## 6 · Joint or pipeline, counted
#
# The same system, the same trees, but only the first form of each lemma goes into the bag. Where do
# the two choose differently?

# %%
BEST_FIRST = "zhang-clark-2015-realization"
first = nb_50.learned(real, trained, [BEST_FIRST], inflection="first")[BEST_FIRST]
differing = nb_50.forms_by_search(joint, first, held_out)
table(differing or [{"": "nowhere among these trees"}])

# %%
both = nb_50.outputs({"joint": joint, "pipeline": first}, held_out)
table(nb_50.score_rows(both, held_out), formats=shares)

# %% [markdown]
# Look at each line above, and take sides: what would have decided it, the next word or the tree? Is
# the reference's form the only one that is right? (*it is* and *it 's* are both English; the score
# knows one.)

# %% [markdown]
# ## 7 · What goes wrong, and what it costs
#
# A sentence that differs from its reference may be as good. But one can count *where* they differ:
# at which heads the parts come in another order, and which lemmas have another form. And then
# repair one cause alone, and see what BLEU would be:

# %%
table(faults := nb_50.fault_rows(made["zhang-clark-2015-realization"], held_out))

# %% [markdown]
# *siblings*: dependents on their sides of the head, in another order among themselves; *sides*: one
# is on the other side; *punctuation*: all is right but for commas and the like. Which cause would
# you work on? Is it the most frequent one?

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(held_out) and {row["system"] for row in scores} == set(models)
for own in made.values():
    assert all(sorted(one.order) == list(range(len(t))) for one, t in zip(own, held_out))
counts = nb_50.forms_counted(joint, held_out)
assert 1 <= counts["forms a lemma"] < 2 and counts["right one among them"] > 0.8
assert counts["right one first"] <= counts["right one among them"]
assert all(0 <= row["BLEU"] <= 100 for row in scores)
assert all(row["joint"] != row["pipeline"] for row in differing)
assert len(faults) == 6

# %% [markdown]
# ## 8 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is told what is wrong
# with it, and gets a hint; `check.hint("50.1")` asks for one, `check.solution("50.1")` opens when
# the hints are used up.
#
# **50.1 Which forms?** (3 minutes) Five lemmas with what is known of them. Which forms go into the
# bag? (Short forms such as *'s* left out.) A list of forms for each row.

# %%
table(nb_50.asked_rows())

# %%
five_bags = [[...], [...], [...], [...], [...]]
check("50.1", five_bags)


# %% [markdown]
# **50.2 How many sentences?** (6 minutes) A tree without crossing arcs, and the forms of each of
# its nodes: `tree.dependents[i]` are the dependents of node `i`, `forms[i]` its forms.


# %%
def how_many(tree, forms):
    return ...


check("50.2", how_many)

# %% [markdown]
# **50.3 Bottom-up.** (3 minutes) For *the man saw the old man* (section 4): how many mappings are
# there before anything is pruned, how many are left, and which places do the subject and the object
# take, each with all below it, as `[first, last]`?

# %%
before_and_after = [..., ..., [...], [...]]
check("50.3", before_and_after)


# %% [markdown]
# **50.4 A rule for *be*.** (6 minutes) For the pipeline: *is* or *are*? The root of the tree is
# *be*, present tense. A node has a `lemma` and a `label` (`tree.nodes[i].label`); `tree.root` is
# the root.


# %%
def be(tree):
    return ...


check("50.4", be)


# %% [markdown]
# **50.5 DIST.** (6 minutes) Pairs of output and reference, both texts. 100 * (1 - all edits / all
# lengths), where a length is that of the longer text of the two.


# %%
def dist(pairs):
    return ...


check("50.5", dist)

# %% [markdown]
# **50.6 In the player.** (3 minutes) In section 2 the search went on until it had all twelve goals.
# At which pop did the first edge with *a* in it come off the agenda? And the first *goal* with *a*?

# %%
two_pops = [..., ...]
check("50.6", two_pops, log=honest_log)

# %% jupyter={"source_hidden": true} tags=["hidden"]
unsolved = {"50.1": five_bags, "50.2": lambda *_: ..., "50.3": before_and_after}
unsolved |= {"50.4": lambda *_: ..., "50.5": lambda *_: ...}
assert all(check(number, answer).right is None for number, answer in unsolved.items())
assert check("50.6", two_pops, log=honest_log).right is None

# %% [markdown]
# ## Where to read on
#
# - Papers: [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229), section 5.7;
#   [Belz et al. 2011](https://aclanthology.org/W11-2832/) for the shared task, and
#   [Mille et al. 2018](https://aclanthology.org/W18-3601/) for that on free treebanks;
#   [Bohnet et al. 2010](https://aclanthology.org/C10-1012/) and
#   [Guo et al. 2011](https://doi.org/10.1017/S1351324910000319) for ordering head by head.
# - Code: `wordorder_lab/inflection/candidates.py` has the forms,
#   `wordorder_lab/systems/realization.py` the pseudo-code of the whole,
#   `wordorder_lab/inflection/gold_mapping.py` section 4.
# - By hand: `wordorder-lab realize --model FILE --conllu -` takes a tree and prints its sentence.
# - Before this: [best-first search with dependencies](12_best_first_dependency.ipynb). And
#   [the glossary](glossary.md).
