# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Sentence compression as tree transduction
#
# **90 minutes**, or two lessons: sections 1 to 4 (sentences, rules, trees, and where rules come
# from), 5 to 7 (a model, its chart, cube pruning). You need: to have seen a phrase-structure tree,
# as in [Corpora and grammars](01_corpora_and_grammars.ipynb), section 2. Nothing about word
# ordering is needed.
#
# [Glossary](glossary.md) · [Solutions](solutions/40_sentence_compression.py) ·
# paper: [Cohn and Lapata 2009](https://doi.org/10.1613/jair.2655), sections 3, 4 and 6
#
# After this notebook you can
#
# - read a rule of a synchronous tree substitution grammar, and carry out a derivation on paper;
# - say how rules are read off a pair of trees, and what a recursion depth of 1 or 2 adds;
# - say what copy and deletion rules guarantee, and what they never do;
# - judge a table of compression scores: what the rate does, and why two floors belong beside it;
# - follow Algorithm 4: cells, items, contexts of n-grams, and the grid that cube pruning walks.
#
# (The first run compiles the fast engine, which takes about a minute more.)

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_40, nb_40_shown, small_transducer, trained
from wordorder_lab.plots import Panel, aligned_words, panels, rules, scores_by_rate, table, trees

CORPUS = "gazette"  # the one line to change: a file or folder of your own pairs, as .jsonl

corpus = wl.load_compressions(CORPUS)
train, dev = corpus.train, corpus.dev

# %%
figure_1 = wl.EventLog()
paper_pair = small_transducer.FIGURE_1  # the pair of Figure 1
small_transducer.figure_1_by_hand().compress(paper_pair.source, trace=figure_1, engine="reference")
wl.play(figure_1)

# %% [markdown]
# The paper's first example, made shorter by the paper's own rules. From above:
#
# - the **sentence**: what is crossed out was left out, a line leads from each word to what became
#   of it;
# - the **rule**, below the trees: what is taken, and what is made of it. Click on a node of the
#   source tree, and the rule that was used there flies over;
# - the **tree** that all these rules make together.
#
# In this order, then: first sentences, then rules, then trees, and then where rules come from.

# %% [markdown]
# ## 1 · The sentence
#
# To make a sentence shorter, leave words out. Is that all? Figure 1, and below it three pairs of
# the corpus. Grey is what was left out, blue what is new:


# %%
def words_of(pair):
    """A pair as sentences: what was said, what it became, and which word became which."""
    return pair.source.leaves(), pair.target.leaves(), pair.alignment


kinds = {pair.kind: pair for pair in reversed(train)}
aligned_words([words_of(pair) for pair in (paper_pair, *kinds.values())])

# %% [markdown]
# The second sentence lost a phrase, and that is all. In the others words change places: who said it
# comes first, and what was suffered by somebody becomes what somebody did.
#
# The first looks as if words were only crossed out. Yet *records* was the subject of *made*, and is
# the subject of *are involved* now. A program that only crosses out cannot know that this goes
# together. So Cohn and Lapata turn **trees into trees**.

# %% [markdown]
# ## 2 · The rule, and the tree
#
# A rule says how a piece of the source tree becomes a piece of the target tree. These are all the
# rules of the paper's Figure 3:

# %%
figure_3 = [wl.parse_rule(line.strip()) for line in small_transducer.FIGURE_3.strip().splitlines()]
rules({f"rule {number}": rule for number, rule in enumerate(figure_3, 1)})

# %% [markdown]
# A node with a number is a **variable**: something goes on there, and the number says where on the
# other side. What is crossed out is **deleted**, with all that is below it. A word stands for
# itself.
#
# - **Rule 1** leaves an adverb out. **Rules 6 to 12** copy.
# - **Rules 2 to 4** change the category: an `S` becomes an `NP`, an `SBAR` a `VP`.
# - **Rule 5** is what the sentence needs. Both its sides have two levels. A synchronous
#   *context-free* grammar (SCFG) has one level on either side, and cannot say that. That is the T
#   in **STSG**, synchronous *tree* substitution grammar.
#
# On paper, in files and in your answers a rule is a text. Rule 1 is
#
#     <WHNP, WHNP> -> <[WHNP RB_eps WP_1], [WHNP WP_1]>
#
# with brackets around a node and its children, and `_eps` (ε, epsilon, the sign for nothing) for
# what is deleted. In front are the two categories.
#
# Now the trees. (`SBAR` is what the paper writes as S with a bar.)

# %%
trees({"source": paper_pair.source, "target": paper_pair.target})

# %% [markdown]
# **Transduction** (Algorithm 2) begins with the root, which is to become an `S`: `S/S`. The
# leftmost node that waits is rewritten by a rule whose source side matches there, until nothing
# waits. Cover the right column, and guess the number of each rule:

# %%
steps = list(nb_40_shown.rewriting(paper_pair, figure_3))
table(
    {"words so far": words, "by rule": f"{figure_3.index(rule) + 1}" if rule else ""}
    for words, rule in steps
)

# %% [markdown]
# Twelve rules, twelve rewrites. (The paper's Figure 4 has eleven, as it does rules 2 and 7 in one
# line.) A **derivation** is this list of rules; source and target tree follow from it.
#
# Rules may also change the order, or a word. But they insert nothing: nodes of the target always
# come from somewhere, or there would be no end to it.

# %%
may = {
    "another order": wl.parse_rule("<PP, PP> -> <[PP IN_2 NP_1], [PP NP_1 IN_2]>"),
    "another word": wl.parse_rule("<VBN, VBD> -> <[VBN beaten], [VBD beat]>"),
}
try:
    wl.parse_rule("<NP, NP> -> <[NP NN_1], [NP DT_eps NN_1]>")
except ValueError as error:
    print(error)
rules(may)

# %% jupyter={"source_hidden": true} tags=["hidden"]
numbers = [figure_3.index(rule) + 1 for _, rule in steps if rule]
assert numbers == [5, 1, 6, 2, 7, 8, 4, 3, 9, 10, 11, 12]
assert steps[-1][0] == " ".join(paper_pair.target.leaves()) == "what records are involved"
played = next(event for event in figure_1 if event[0] == "compressed")
assert " ".join(played[4]) == steps[-1][0] and len(played[3]) == len(numbers)
deep = [number for number, rule in enumerate(figure_3, 1) if rule.source.levels() > 1]
assert deep == [5] and not figure_3[4].is_synchronous_context_free
if CORPUS == "gazette":
    assert list(kinds) == ["deletion", "reordering", "substitution"]

# %% [markdown]
# ## 3 · Where rules come from
#
# Nobody writes them. They are read off pairs of trees, in two steps. First: **what belongs to
# what?** Which word became which is known. Two phrases belong together if some word of the one is
# aligned to a word of the other, and no word in either is aligned to a word outside the other
# (equation 2). The larger ones of our pair:

# %%
belonging = nb_40_shown.belonging(paper_pair)
table([pair for pair in belonging if " " in pair[0].split(": ")[1]], ["source", "target"])

# %% [markdown]
# Find *exactly what* and *what*; and *records made it* with *records*, a sentence that belongs to a
# noun phrase. *made it* belongs to nothing: none of its words is aligned, so it will be deleted.
# (Exercise 40.2: write the test.)
#
# Second, **Algorithm 3** goes down the source tree from a pair that belongs together:
#
# - a node below which nothing is aligned is deleted;
# - a node that belongs to a target node becomes a variable, and that pair has a rule of its own;
# - what is neither stays in the rule.
#
# So each rule is as small as it can be. These are the **minimal rules** of our pair (Figure 7),
# those that only copy left out:

# %%
minimal = nb_40_shown.minimal_rules(paper_pair)
rules(rule for rule in minimal if str(rule.source) != str(rule.target))

# %% [markdown]
# Compare the first with rule 5 of Figure 3: *and* is not looked at any more, any `CC` is deleted.
# Minimal rules are general. Too general, sometimes: the one from `S` to `NP` throws away any
# predicate. A rule that says more could know better when to. So let the algorithm **ignore** a
# match now and then, and go on below it: the piece of tree stays in the rule. How many matches a
# rule may ignore is the *recursion depth*. For *which ones are involved* and *are involved*:

# %%
by_depth = nb_40_shown.new_by_depth(paper_pair, "SBAR", "VP")
rules({f"depth {d}, {i}": r for d in range(3) for i, r in enumerate(by_depth[d], 1)})

# %%
table({"depth": depth, "new rules": len(new)} for depth, new in enumerate(by_depth))

# %% [markdown]
# 1, 3, 7 rules up to depths 0, 1 and 2, as the paper prints. (Of the seven that stand there, one
# lacks a deletion and one has `VBD` for `VBP`.) With any depth the paper says "45 in total". Add up
# the table: we count 66. `by_depth` holds every one of them, so that you can count yourself.
#
# Now a whole corpus: rules of 250 short pairs. Do deeper rules do better? Notebook 41 asks that, in
# section 6.

# %%
few = [pair for pair in train if len(pair.source.leaves()) <= 15][:250]
grammars = [nb_40_shown.grammar_of(few, depth) for depth in range(3)]
counts = [one.statistics() for one in grammars]
table(
    {
        "depth": depth,
        "rules": len(one),
        "in the paper": printed,
        "deeper than an SCFG": f"{count['deeper'] / len(one):.1%}",
        "seen once": f"{count['used_once'] / len(one):.0%}",
    }
    for depth, one, count, printed in zip(range(3), grammars, counts, (20764, 33430, 62116))
)

# %% [markdown]
# In the paper 12 % of the minimal rules were deeper than an SCFG allows. Ours are shallow for the
# most part. (A likely reason: its compressions come from people, ours are made by rules.) Many
# rules are seen once. What will they be good for?
#
# The minimal rules that are seen most, by what they do:

# %%
rules(seen := nb_40_shown.kinds_of_rules(grammars[0]))

# %% [markdown]
# Read the first one that changes the order, and say what it does to *Prices fell , a dealer said .*
# Nobody told the algorithm about quotations. It is all in the pairs.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert ("S: records made it", "NP: records") in belonging and len(belonging) == 19
assert ("SBAR: which ones are involved", "VP: are involved") in belonging
assert not any("made it" in source and "records" not in source for source, _ in belonging)
assert len(minimal) == 12 and [len(new) for new in by_depth[:3]] == [1, 2, 4]
assert sum(len(new) for new in by_depth) == 66
assert len(grammars[0]) < len(grammars[1]) < len(grammars[2])
if CORPUS == "gazette":
    assert len(seen) == 8, "two of each kind"

# %% [markdown]
# ## 4 · Rules for what was never seen
#
# A new sentence has a word, a label or a row of children that no training pair had. No rule matches
# there, and without one the whole tree cannot be turned. So two kinds of rules are made for each
# source tree on the spot. A **copy rule** takes a node and its children over. And **deletion
# rules** keep the most important child, the two most important ones, and so on:

# %%
copy, deletions = nb_40_shown.coverage_rules("NP", "DT", "JJ", "NN")
named = {f"delete {number}": rule for number, rule in enumerate(deletions[:-1], 1)}
rules({"copy": copy} | named)

# %% [markdown]
# How important a child is, the head rules of Collins's parser say. The paper prints NN, DT, JJ
# here, and so do we. (As far as we know Collins's table it gives NN, JJ, DT: then there would be
# *old storm*, but never *the storm*.)
#
# What do they guarantee? Take a tree that no grammar has ever seen, and a grammar without a single
# rule:

# %%
odd = wl.parse_tree("(TOP (BLA (X frumious) (Y bandersnatches)) (BLUB (Z snatch) (X jubjubs)))", "")
problem = small_transducer.problem_of(odd)
derivations = list(small_transducer.derivations(problem))
outputs = [" ".join(problem.target_tree(one).leaves()) for one in derivations]
ways = {text: outputs.count(text) for text in sorted(set(outputs), key=len)}
table(ways.items(), ["output", "derivations"])

# %% [markdown]
# There is always an output, and the source itself is among the outputs. That is all. Which words go
# is decided by heads alone, nothing changes places, and no word becomes another. (What these rules
# can give is the same whatever was learned; what they *score* is learned.)
#
# Derivations are counted from the bottom up: **multiply over the variables of a rule, add up over
# the rules**. That is exercise 40.1.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert " ".join(odd.leaves()) in ways and len(outputs) == small_transducer.derivation_count(problem)
texts = [rule.text for rule in deletions]
assert texts[:2] == [
    "<NP, NP> -> <[NP DT_eps JJ_eps NN_1], [NP NN_1]>",
    "<NP, NN> -> <[NP DT_eps JJ_eps NN_1], NN_1>",
]
assert len(texts) == 4 and texts[-1] == copy.text

# %% [markdown]
# ## 5 · A model
#
# Rules say what is possible. A model says what is good: the score of a derivation is a sum of
# weights, those of the **features of its rules** (Table 2: where a rule comes from, its categories,
# its words, how much it cuts away), and of one more, the **log-probability of the output** under a
# trigram model. The weights are learned by a structured support vector machine, which is notebook
# 41. Here we take them as they come, from the 250 pairs of section 3, and look at sentences that
# were not learned. **Rate** is words out over words in.

# %%
model = trained(few, "cohn-lapata-2009", C=1.0, beam=20, max_iterations=20)
held_out = [pair for pair in dev if len(pair.source.leaves()) <= 15]
made = [(pair, model.compress(pair.source)) for pair in held_out[:10]]
table(
    {
        "source": " ".join(pair.source.leaves()),
        "output": result.text,
        "reference": "the same" if result.tree == pair.target else " ".join(pair.target.leaves()),
        "rate": f"{result.rate:.0%}",
    }
    for pair, result in made
)

# %% [markdown]
# Some outputs are quite right, others have lost a thing that a sentence needs. One of them in full.
# Which of its rules was read off a pair, and which was made on the spot? (Click on the nodes.)

# %%
right = [pair for pair in held_out if model.compress(pair.source).tree == pair.target]
chosen = next((pair for pair in right if pair.kind == "reordering"), (right or held_out)[0])
model.compress(chosen.source, trace=(chosen_log := wl.EventLog()))
wl.play(chosen_log)

# %% [markdown]
# How good is it over all held-out sentences? The paper uses **relation F1**: head words with their
# dependents and the label between them, compared with those of the reference; here they have no
# labels, *(introduced, cabinet)*. Beside it we print the
# F1 of single words, and two systems that know nothing, the **floors**: *keep all* crosses nothing
# out; *random deletion* crosses out words blindly, at the reference's rate.

# %%
by_bonus, at_random, keep_all = nb_40_shown.held_against_floors(model, held_out)
gold_rate = keep_all.gold_rate
matched = min(by_bonus, key=lambda bonus: abs(by_bonus[bonus].rate - gold_rate))
compared = {
    "keep all": keep_all,
    "random deletion": at_random[gold_rate],
    "the model": by_bonus[0],
    f"the model, bonus {matched:g}": by_bonus[matched],
}

# %%
table(
    {
        "": name,
        "rate": f"{scores.rate:.0%}",
        "relation F1": f"{scores.relation_f1:.1%}",
        "unigram F1": f"{scores.unigram_f1:.1%}",
        "exactly the reference": f"{scores.exact_match:.0%}",
    }
    for name, scores in compared.items()
)

# %% [markdown]
# Look at *keep all*. Not a word is crossed out, nothing is compressed, and its unigram F1 is above
# 80 %: most words of a sentence are in its compression, too. And whoever crosses out blindly still
# has some 70 %. **Unigram F1 hardly says anything.** Relation F1 punishes blindness, for a relation
# is right only if both its words are there. But it, too, is kind to whoever deletes little.
#
# So never compare two scores at different rates. Another rate can be asked for: add a **bonus** to
# the score for every word that stays, a positive or a negative one, and the same model gives longer
# or shorter outputs. (The paper moves the rate by the loss that it trains with; notebook 41.) The
# last line has the rate of the references, as nearly as our bonuses hit it. All of them:

# %%
curves = {"the model, by bonus": by_bonus, "random deletion": at_random, "keep all": {1: keep_all}}
scores_by_rate(curves, gold_rate)

# %% [markdown]
# The distance from the grey line up to the blue one is what the model knows: read it at the dotted
# line, of relation F1 and of unigram F1, where it is smaller. All lines end in one point: whoever
# keeps everything is *keep all*. And where is the blue line highest?

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert keep_all.rate == 1 and keep_all.exact_match == 0
rates = [by_bonus[bonus].rate for bonus in sorted(by_bonus)]
assert rates == sorted(rates) and rates[0] < by_bonus[0].rate < rates[-1]
blind = at_random[gold_rate]
assert blind.relation_f1 < blind.unigram_f1 < keep_all.unigram_f1
if CORPUS == "gazette":
    best = by_bonus[matched]
    assert keep_all.unigram_f1 > 0.8 and best.relation_f1 > keep_all.relation_f1
    assert best.relation_f1 - blind.relation_f1 > best.unigram_f1 - blind.unigram_f1 > 0

# %% [markdown]
# ## 6 · Algorithm 4: cells, items, contexts
#
# How many derivations does a sentence have, under the model's grammar?

# %%
by_length = sorted(dev, key=lambda pair: len(pair.source.leaves()))
for pair in (by_length[0], by_length[len(by_length) // 2], by_length[-1]):
    derivations = small_transducer.derivation_count(model.problem(pair.source))
    print(f"{len(pair.source.leaves())} words: {derivations:,}")

# %% [markdown]
# Nobody goes through all of these. But they share their parts, so the decoder fills a **chart**
# from the bottom up: for every node of the source tree and every category that it may become there
# is a **cell**. In the cell are **items**, target trees found so far.
#
# Rules alone would need one item a cell, the best. But the n-gram model looks across seams. If
# *the fast car* is followed by *skidded to a halt*, two new trigrams arise, *fast car skidded* and
# *car skidded to*; to score them one must know the last two words on the left and the first two on
# the right. These are an item's **context**. Two items with one context are alike to everything
# that comes later, so the better one is enough. Two with different contexts must both be kept.
#
# The example is the paper's (section 3.4), with a model of three weights and a trigram model that
# has read six lines:

# %%
print("has read:", " | ".join(small_transducer.READ))
table(small_transducer.BY_HAND.items(), ["feature", "weight"])

# %%
car, small = small_transducer.FAST_CAR, small_transducer.by_hand()
everything = wl.EventLog()
exact = small.compress(car, beam="exact", k=4, trace=everything, engine="reference")
table([(output.score, output.text) for output in exact.k_best], ["score", "output"])

# %% [markdown]
# Add up the best one by hand: six words out at 1.5 each; one rule shortens, at -0.25; the rest is
# log-probability:

# %%
log_probability = small.ngrams.score(["the", "car", "skidded", "to", "a", "halt"])
print(f"6 × 1.5 - 0.25 + ({log_probability:.2f}) = {6 * 1.5 - 0.25 + log_probability:.2f}")

# %% [markdown]
# And here is the chart, cell by cell. *score* is what rules and complete trigrams give. The first
# two words of an item have no left neighbours yet, so they wait; for comparing items they are
# counted as single words (*seems*).

# %%
table(chart := nb_40_shown.chart_rows(everything, small, car))

# %% [markdown]
# Why are there 16 items in the `S`? (3 subjects with 4 predicates, and 4 predicates alone.) Each
# has another context here. With a shorter memory they fall together:

# %%
table(memories := [nb_40_shown.with_memory(order, car) for order in (1, 2, 3)])

# %% [markdown]
# With single words there is no context, and every cell has one item. In general the number of
# contexts grows with the words of the sentence to the power of 2 (n - 1), and a rule with five
# variables asks for all combinations of five such lists. Hence a **beam**: at most so many items a
# cell.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert exact.text == "The car skidded to a halt"
assert abs(exact.score - (6 * 1.5 - 0.25 + log_probability)) < 1e-9
assert small_transducer.derivation_count(small.problem(car)) == 16
assert sum(row["cell"].startswith("S: ") and row["as"] == "S" for row in chart) == 16
for cell in {(row["cell"], row["as"]) for row in chart}:
    seems = [round(-row["seems"], 9) for row in chart if (row["cell"], row["as"]) == cell]
    assert seems == sorted(seems)
assert memories[0]["items"] < memories[1]["items"] < memories[2]["items"] == 35

# %% [markdown]
# ## 7 · Cube pruning
#
# With a beam of 4, must we still make all 16 combinations of the last cell, to keep the best 4? Put
# the items for the subject along one side of a grid, best first, those for the predicate along the
# other. What a combination *seems* to be worth is the sum of rule and items: good ones are near the
# corner. So **start in the corner, take the best, and look at its two neighbours; take the best of
# all that have been looked at; and so on, until the beam is full.** Only then are the seams scored.
# With three variables the grid is a cube, which gave the method its name (Chiang 2007).
#
# The rule that keeps both in our example, in the search without a beam. In each field: what it
# seems to be worth, what it is worth, and in brackets when it was taken:

# %%
grid = nb_40_shown.grid_of(everything)
table(grid.table())

# %% [markdown]
# (The other rule, the predicate alone, has a row of its own, and takes its turns in between:
# numbers 1, 4, 7 and 13.)
#
# Follow the numbers: they grow away from the corner, a border that moves. But see what the right
# scores say. *the car* seems to be the worst subject, since both its words wait, and as single
# words they are dear. With its predicate it is the best of all: *the car skidded* is what the model
# has read. It comes fifth. **With a beam of 4 cube pruning stops before it; a search that makes all
# combinations, and then keeps 4, has it.** In the player, step by cell to the last one. On the left
# is the tree with the node that is being filled, on the right at the end of each cell what won:

# %%
logs = {search: wl.EventLog() for search in ("cube", "exhaustive")}
for search, log in logs.items():
    end = small.compress(car, beam=4, search=search, trace=log, engine="reference")
    print(f"{search:11} {end.counters['combinations']} combinations: {end.text} ({end.score:.2f})")
wl.play(*logs.values(), names=tuple(logs))

# %% [markdown]
# Switch the **quiz** on in the last cell: which combination is taken next? Then exercise 40.4.
#
# What does it save to look at less, and what does it cost? Forty sentences, at most 20 words each:
# how many combinations are made, and for how many sentences is the best derivation lost? We ask the
# model twice: as it was learned, and with **louder n-grams**, whose weight we set to 0.5 (and that
# of words to 2.5, or it would say next to nothing).

# %%
BEAMS = (1, 2, 3, 5, 10, 20, 50)
some = [pair for pair in dev if len(pair.source.leaves()) <= 20][:40]
louder = nb_40_shown.louder_ngrams(model)
measured = {
    "cube, louder n-grams": nb_40_shown.by_beam(louder, some, BEAMS, "cube"),
    "exhaustive, louder n-grams": nb_40_shown.by_beam(louder, some, BEAMS, "exhaustive"),
    "cube, as it was learned": nb_40_shown.by_beam(model, some, BEAMS, "cube"),
}
work, lost = ({name: both[i] for name, both in measured.items()} for i in range(2))
panels(
    Panel(work, "beam", "combinations a sentence", log="xy", ticks=BEAMS),
    Panel(lost, "beam", "best derivation lost", log="x", ticks=BEAMS, percent="y"),
)

# %% [markdown]
# - On the left: cube pruning makes some hundred combinations with a beam of 20, the exhaustive
#   search three times as many. The longer the sentence, the larger the difference.
# - On the right: for that it loses more. It takes what seems good, and where n-grams are loud that
#   is often not what is good. In the Gazette something is lost even with 50 items a cell; the
#   exhaustive search has everything much sooner.
# - As it was learned, hardly anything is lost. The learner gave n-grams a small weight, so what
#   seems good is good. **Cube pruning errs as much as the seams weigh.**
#
# That small weight says more. In the record of Table 5 on the Gazette, the model that learned
# without n-grams is not significantly worse on the test pairs. So the Gazette cannot say what
# n-grams are worth, nor whether cube pruning costs anything in use: the louder model was made for
# this picture.
#
# Last, **swap a rule**. Click on a node of the source tree, and choose another rule that matches
# there. The best output with it is drawn beside the model's own, framed where another rule has made
# something. What changes: the words, the score, anything far away from that node? Are there rules
# with which the words stay the same? (In a page without a kernel this is switched off.)

# %%
model.compress(chosen.source, trace=(swap_log := wl.EventLog()))
wl.play(swap_log, drive=model.drive(chosen.source))

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert [grid.taken[place].number for place in ((0, 0), (1, 0), (2, 0))] == [2, 3, 5]
assert (grid.rows[2], grid.columns[0]) == ("the car", "skidded to a halt")
assert max(taken.score for taken in grid.taken.values()) == grid.taken[2, 0].score
ends = [next(event for event in log if event[0] == "compressed")[4] for log in logs.values()]
assert " ".join(ends[1]).capitalize() == exact.text != " ".join(ends[0]).capitalize()
cube, exhaustive, as_learned = measured
assert all(work[cube][beam] <= work[exhaustive][beam] for beam in BEAMS)
ready, drive = model.problem(chosen.source), model.drive(chosen.source)
at_root = [i for i, rule in enumerate(ready.applications) if rule.node == ready.nodes.root]
asked = {"application": at_root[0], "rule": ready.applications[at_root[0]].rule.text}
assert drive({**asked, "node": 0}).keys() == {"why"}
swaps = [model.swap(chosen.source, ready.nodes.root, i).score for i in at_root]
assert drive({**asked, "node": ready.nodes.root})["score"] <= max(swaps)
assert abs(max(swaps) - model.compress(chosen.source).score) < 1e-9
if CORPUS == "gazette":
    assert all(lost[cube][beam] >= lost[as_learned][beam] for beam in BEAMS)
    assert lost[exhaustive][50] == 0 < lost[cube][3] and lost[as_learned][3] < 0.05

# %% [markdown]
# ## 8 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is told what is wrong
# with it, and gets a hint; `check.hint("40.1")` asks for one, `check.solution("40.1")` opens when
# the hints are used up. The answers are compared with what the engine really does.
#
# **40.1 Count derivations.** (3 minutes) Here are a tree and a rule. With copy and deletion rules
# alone, how many derivations does the tree have (outputs are `S`)? How many with the rule as well?
# And how many different target trees are there then?

# %%
trees({"the tree": nb_40.STORM})

# %%
rules({nb_40.ONE_MORE: wl.parse_rule(nb_40.ONE_MORE)})

# %%
how_many = [..., ..., ...]
check("40.1", how_many)


# %% [markdown]
# **40.2 Your own constituent alignment.** (6 minutes) Write equation 2. `source` and `target` are
# the places of the words below two nodes, as sets: `{0, 1}`. `pairs` is the alignment of words, as
# in section 1: `{(1, 0), (2, 1)}`. Return whether the two nodes belong together. Yours is asked
# about all nodes of three pairs of trees, then plugged into Algorithm 3.


# %%
def belong(source, target, pairs):
    return ...


check("40.2", belong)

# %% [markdown]
# **40.3 Your own rule.** (3 minutes) Write a rule, or a list of rules, that turns passives into
# actives: the first three sentences. (Other rules may shorten them besides.) The last two only look
# alike; leave them alone. Your rules are then put into the model of section 5: see whether it likes
# them.

# %%
for tree, active in nb_40.PASSIVES:
    print(f"{tree.pformat(margin=10**6)}\n    {active}")
for tree in nb_40.OTHERS:
    print(tree.pformat(margin=10**6))

# %%
my_rules = ...
check("40.3", my_rules, model=model)

# %% [markdown]
# **40.4 Which combination is next?** (3 minutes) A cell with two rules. Rule 1 has two variables,
# rule 2 has one; their own scores are 0 and -3.25. The table says what the items seem to be worth.
# Which are the first seven combinations that cube pruning takes? Write `(0, 1)` for item 0 of
# variable 1 with item 1 of variable 2, and `(0,)` for item 0 of rule 2.

# %%
table(nb_40.grid_asked())

# %%
taken = [..., ..., ..., ..., ..., ..., ...]
check("40.4", taken)

# %% [markdown]
# **40.5 A sentence of your own.** (3 minutes) Write a tree in round brackets, six words or more,
# with at least two words that the model has never read. Say what it will make of it, before you ask
# it.

# %%
my_tree = ...
my_guess = ...
check("40.5", (my_tree, my_guess), model=model)

# %% [markdown]
# **40.6 Lost.** (3 minutes) Find a held-out sentence (by its number in `held_out`) and a beam, 2 or
# more, with which cube pruning loses the best derivation of the louder model: a wider beam finds
# one with a higher score. What is the largest such beam that you can find?

# %%
my_sentence = ...
my_beam = ...
check("40.6", (my_sentence, my_beam), model=louder, pairs=held_out)

# %% jupyter={"source_hidden": true} tags=["hidden"]
unsolved = {"40.1": how_many, "40.2": lambda *given: ..., "40.4": taken}
assert all(check(number, answer).right is None for number, answer in unsolved.items())
assert check("40.3", ..., model=model).right is None
assert check("40.5", (..., ...), model=model).right is None
assert check("40.6", (..., ...), model=louder, pairs=held_out).right is None

# %% [markdown]
# ## Where to read on
#
# - Paper: [Cohn and Lapata 2009](https://doi.org/10.1613/jair.2655). Section 3.1 is the grammar,
#   3.2 has Algorithm 3 and the coverage rules, 3.4 has Algorithm 4; Table 2 is in section 4.
# - Code: `wordorder_lab/transduction/chart.py` (Algorithm 4 stands on top),
#   `wordorder_lab/transduction/cube_pruning.py`, `wordorder_lab/transduction/extraction.py`
#   (Algorithm 3), `wordorder_lab/transduction/extraction.py` (equation 2),
#   `wordorder_lab/transduction/grammar.py`, `wordorder_lab/metrics/relations.py`.
# - Next: notebook 41, where the weights come from: losses, and the structured support vector
#   machine. And [the glossary](glossary.md).
