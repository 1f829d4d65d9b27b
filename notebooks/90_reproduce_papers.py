# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The papers' claims
#
# **90 minutes**: sections 1 and 2 (one claim, all differences), 3 to 7 (the papers), 8 (what did
# not come out, and why), exercises. You need: the papers, or one of their notebooks, such as
# [Transition-based ordering](20_transition_based.ipynb); and what a test is
# ([Exploring errors](33_exploring_errors.ipynb), section 3). Nothing is trained here: all numbers
# are read from the records of runs.
#
# [Glossary](glossary.md) · [Solutions](solutions/90_reproduce_papers.py) · papers:
# [Zhang and Clark 2011](https://aclanthology.org/D11-1106/) and
# [2015](https://doi.org/10.1162/COLI_a_00229),
# [Liu, Zhang, Che and Qin 2015](https://aclanthology.org/N15-1012/),
# [Cohn and Lapata 2009](https://doi.org/10.1613/jair.2655)
#
# After this notebook you can
#
# - read a printed table beside a second measurement of it, and say what agrees;
# - tell "not significant" from "not so", by an interval;
# - say what came out of each paper's claims, on other data than the paper's;
# - tell a reason that a record tests from one that only sounds right.

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_90
from wordorder_lab.plots import differences, lines, table

papers = nb_90.judged_papers()
nb_90.overview(papers)

# %% [markdown]
# Each mark is a sentence of a paper that can come out or not: "a beam of 64 is better than one of
# 16". **Point at one** to read it, and what became of it here. On the left are the papers' own
# claims, on the right what we asked besides.
#
# Nobody has written these verdicts. Each claim stands as data beside its experiment, and is judged
# by the record of a run whenever this cell runs:
#
# - **reproduced**: the paper's direction, p < 0.05, and a 95 % interval without 0; **smaller** or
#   **larger than printed**, where the difference that the paper prints is outside the interval;
# - **same direction, not significant**: the paper's direction, but chance could do it, too;
# - **excluded**: our interval ends below the least that the words can mean ("by two orders of
#   magnitude"); or nothing is significant, and it ends below the difference that the paper prints;
# - **not reproduced**: the other direction or none, and chance could do that as well; or a size or
#   a likeness that we do not find;
# - **opposite**: the other direction, significantly;
# - **alike**: two are said to be so, and the whole interval is as narrow as the claim says;
# - **fact**: a size or arithmetic, compared and not tested;
# - **cannot be tested here**: the record lacks what a test needs, or at the effect that is seen it
#   would take more sentences than free corpora have.

# %% jupyter={"source_hidden": true} tags=["hidden"]
judged = [one for of in papers.values() for mine in of.values() for one in mine]
assert len(judged) > 250 and len({of for mine in papers.values() for of in mine}) > 50
assert {*list(papers)[:2]} == {"Zhang & Clark (2011)", "Zhang & Clark (2015)"}

# %% [markdown]
# ## 1 · One claim, from the page to the verdict
#
# Table 3 of Liu et al. asks what it is worth to know more than the words: some of the tags
# (`POS`), some of the heads (`dep`). These are its rows of Zhang (2013), on the left as printed,
# then ours, with the ends of our 95 % interval:

# %%
ONE, THRICE = "liu-2015-table-3-zhang-2013", "-with-3-seeds"
table(nb_90.values_beside(ONE), places=1, bar="ours")

# %%
wl.paper_figure(ONE)

# %% [markdown]
# Before you read on: which sentences about *tags* and *heads* would you dare to write under this
# table? And would they be true of ours? (The table is of one training. What is judged below was
# trained three times, from other orders of the sentences: another order is another model.)

# %%
table(wl.claims_table(ONE)[["the paper says", "verdict", "here"]])

# %% [markdown]
# The last column has the whole reasoning: ours against ours, the difference with its interval, p,
# and how many sentences it is of. Note what is compared. *Not* our number with the paper's: they
# are of other sentences, learned from another amount. But *ours with ours*, on the same sentences,
# in the direction that the paper says. That is what can be reproduced elsewhere.
#
# `wl.paper_table`, `wl.paper_figure` and `wl.claims_table` do this for every experiment, and
# `wordorder-lab reproduce` makes a record anew.

# %% jupyter={"source_hidden": true} tags=["hidden"]
beside = wl.paper_table(ONE)
printed = {44.7, 50.5, 73.3, 76.3}
assert printed <= set(beside.paper) and beside.ours.notna().all()
assert len(wl.claims_table(ONE)) == len(papers["Liu, Zhang, Che & Qin (2015)"][f"{ONE}{THRICE}"])

# %% [markdown]
# ## 2 · Levels and differences
#
# Here is every BLEU that a paper prints and that was run here, too. On the dashed diagonal, ours
# would be the paper's.

# %%
every = wl.paper_table()
bleu = every[every.quantity.isin(["bleu_cased", "bleu_13a_lc"]) & every.difference.notna()]
by_paper = {
    paper: (mine.paper.astype(float), mine.ours)
    for paper, of in papers.items()
    if len(mine := bleu[bleu.experiment.isin(list(of))])
}
dots = {paper: (marker, None) for paper, marker in zip(by_paper, "os^Dv*P")}
diagonal = {"the same": ([0, 100], [0, 100])}
looks = dots | {"the same": ("--", "#999999")}
lines(by_paper | diagonal, "BLEU, the paper", "BLEU, ours", looks=looks, size=(7, 5))

# %% [markdown]
# The papers on word ordering learned from 39,832 sentences of the Penn Treebank; ours are mostly
# the sample that comes with NLTK, or the Gazette, whose sentences our own grammar made. That is the
# likely reason for what lies below the diagonal, and **no record here tests it**.
# (`wordorder-lab bench --growth` shows how a system grows with what it learns from.) And above it?
# `bleu[bleu.difference > 0]` says which experiments these are of.
#
# So levels say little. Differences say more: this much better is one way than the other, in the
# paper (to the right) and in ours (upwards).

# %%
panels = nb_90.difference_panels(papers)
differences({paper: panels[paper] for paper in list(papers)[:4]}, size=(12, 4.2))

# %%
table(nb_90.size_rows(panels), places=1)

# %% [markdown]
# Read the picture by its lines. An upright line that crosses 0 is "not significant". If it is a
# long line it says little: the paper's difference may well be inside it. *Absence of evidence*:
# with as few sentences as ours, a true difference of half that length is often not seen. If it is a
# short line around 0 it says a lot: here, at least, there is no difference worth the name.
#
# So do not read a ring or a cross as "the paper is wrong". First ask for the interval (exercise
# 90.3).

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(by_paper) >= 4 and all(len(x) == len(y) for x, y in by_paper.values())
assert all(one.low <= one.high for mine in panels.values() for one in mine)
assert sum(map(len, panels.values())) > 40

# %% [markdown]
# ## 3 · Zhang and Clark 2011: CCG and guided search
#
# The paper's argument: word ordering is a search for a *derivation*, and a grammar of rich
# categories (CCG) with a learned, best-first search does better than the baselines of Wan et al.
# (2009), which build a tree and then order it. How good it is depends on where a word's categories
# come from: a *dictionary* has all that it was seen with; a *supertagger* (`beta`) leaves the
# probable ones, but has read the sentence in its true order.
#
# Each line is a table or figure. Its name leads to it below, where it can be opened: the numbers
# beside ours, the picture, and each claim.

# %%
zhang_2011 = "Zhang & Clark (2011)"
nb_90.tables_of(papers, zhang_2011)

# %%
nb_90.shown(papers, zhang_2011)

# %% [markdown]
# Open *Table 4* twice, on newspapers and on the Gazette. The paper has BLEU fall as longer
# sentences are let in. How many sentences of up to 5 units
# does it test? (Section 8, reason 1.)

# %% [markdown]
# ## 4 · Zhang and Clark 2015: learning for a search that is cut short
#
# Three things are new: dependencies beside CCG; scores *scaled* by the size of a phrase, so that
# small and large ones can wait on one agenda; and *negative examples*, wrong phrases that the
# learner goes on to expand. Section 5.7 makes sentences from trees of lemmas (Table 10).

# %%
zhang_2015 = "Zhang & Clark (2015)"
nb_90.tables_of(papers, zhang_2015)

# %%
nb_90.shown(papers, zhang_2015)

# %% [markdown]
# One experiment is not in the paper, and shows what a comparison of *systems* cannot: from 2011 to
# 2012 two things change at once, the update and the averaging of weights. Which of them is it?

# %%
APART = "zhang-clark-2015-averaging-gazette"
table(wl.claims_table(APART)[["the paper says", "verdict", "here"]])

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert {zhang_2011, zhang_2015} <= papers.keys() and APART in papers[zhang_2015]
assert len(wl.claims_table(APART)) == 4

# %% [markdown]
# ## 5 · Liu, Zhang, Che and Qin 2015: from left to right, with a beam
#
# The same task by a transition system: SHIFT a word from the bag, join two trees. The paper says
# that it orders better than best-first search, whatever is given, loses no words, and takes a
# fraction of the time; and that best-first search makes short spans more precisely, but finds fewer
# of them.

# %%
liu = "Liu, Zhang, Che & Qin (2015)"
nb_90.tables_of(papers, liu)

# %%
nb_90.shown(papers, liu)

# %% [markdown]
# *Table 4* is there twice as well: beside best-first search of 2015, and beside Zhang (2013), whom
# the paper compares with. That paper is not at hand; how we read it is a choice (reason 5).

# %% [markdown]
# ## 6 · Cohn and Lapata 2009: compression by a synchronous grammar
#
# Another task: shorten a sentence by rewriting its tree. A *transducer* learns rules (a tree
# fragment, and what may become of it) and their weights. The paper has it ahead of McDonald (2006),
# who deletes words, and asks what its parts are worth: loss, depth of rules, n-grams.
#
# Two measures are to be watched together. Who deletes less also loses fewer relations; so a system
# that is ahead *at its own rate* is not yet better. Rows "at McDonald's rate" and "at the
# references' rate" let both delete as much.

# %%
cohn_lapata = "Cohn & Lapata (2009)"
nb_90.tables_of(papers, cohn_lapata)

# %%
nb_90.shown(papers, cohn_lapata)

# %% [markdown]
# Table 5 compares n-grams of length 1, 2 and 3, and the paper concludes that n-grams help; it
# prints no row without them. Ask that first:

# %%
compression = wl.claims_table(*papers[cohn_lapata])
about_n_grams = compression["the paper says"].str.contains("n-gram feature helps|words help:")
table(compression[about_n_grams][["the paper says", "verdict", "here"]])

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert about_n_grams.sum() == 3 and {liu, cohn_lapata} <= papers.keys()
assert len(compression) == sum(map(len, papers[cohn_lapata].values()))

# %% [markdown]
# ## 7 · The others
#
# What the four papers build on or were answered by: n-grams without syntax (Schmaltz et al. 2016),
# a language model inside the search (Zhang et al. 2012), the parser (Klein and Manning 2003), and
# questions that are nobody's but ours. Some of these papers were not at hand: their values are
# those that others quote.

# %%
others = list(papers)[4:]
nb_90.shown(papers, *others)

# %% [markdown]
# ## 8 · What did not come out, and why
#
# All claims of the papers that are *excluded*, *not reproduced* or *opposite*. In the last column:
# the reasons that an experiment tests, by their numbers in the table after this one, and how they
# stand.

# %%
table(failures := nb_90.failure_rows(papers))

# %% [markdown]
# A reason is cheap. "Our corpus is smaller" explains everything, and would explain the contrary as
# well. It is worth something once it says what *else* would have to come out if it were right. Then
# an experiment can speak against it. Here is each reason with the claim that tests it:

# %%
table(nb_90.reason_rows(papers))

# %% [markdown]
# - **stands**: all that would have to come out did. It may still be only a part of the story: of
#   one cause a test says that it works, not that it is the only one.
# - **spoken against**: something came out the other way round, significantly. This reason is gone,
#   however well it sounded.
# - **open**: chance could have done it. More sentences would tell.
#
# And look at the claims above that have *no* reason. For some, a likely one is easy to find: other
# data, fewer sentences, another cut of the corpus into train and test. As long as no record tests
# it, it is a story, and it is not told here as more.
#
# **How many would fail by chance?** Each verdict is a test at 5 %, and there are hundreds. Exercise
# 90.2 counts what to expect if nothing were true at all; then look at the first picture again.

# %% [markdown]
# ## 9 · What we may say now, and what not
#
# - *Reproduced* means: on our data, with our reading of the paper, the direction is the paper's,
#   and hardly by chance. It does not mean that the number is.
# - *Not reproduced* means: not here. Other sentences, fewer of them, a choice that the paper does
#   not tell, a mistake of ours: all that is possible. What we read otherwise is listed at the end
#   of each file, under *Differences*.
# - Most rows are one training each. The interval is over *sentences*; another order of the training
#   sentences would give another model. The experiment `APART`, in section 4, has five orders, and
#   `training-seeds`, among the others, three of two more systems; experiments whose names end in
#   `-with-3-seeds` train each model three times, and their verdicts stand in place of the one
#   training's.
# - Hundreds of claims were judged, and all are shown. Whoever picks the good ones afterwards has
#   shown nothing.

# %% jupyter={"source_hidden": true} tags=["hidden"]
failed = [one for one in judged if not one.claim.ours and "repro" in one.verdict[4:]]
assert all(row["verdict"] in nb_90.FAILURES for row in failures)
assert {one.claim.says for one in failed} <= {row["it says"] for row in failures}
assert all(row["reason"] for row in failures)

# %% [markdown]
# ## 10 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is told what is wrong
# with it, and gets a hint; `check.hint("90.1")` asks for one, `check.solution("90.1")` opens when
# the hints are used up.
#
# **90.1 The judge.** (6 minutes) A paper says that A is better than B. Ours gives a `difference` (A
# less B, of something of which more is better) and a two-sided `p`. Return `"reproduced"`, `"same
# direction, not significant"`, `"not reproduced"` or `"opposite"`.


# %%
def verdict(difference, p):
    return ...


check("90.1", verdict)

# %% [markdown]
# **90.2 By chance alone.** (3 minutes) Two hundred claims say "A is better than B", and in truth
# there is *no* difference anywhere. Each is tested at 5 %, two-sided. How many will be
# *reproduced*, on average, how many *opposite*, and how many rings and crosses together?

# %%
check("90.2", (..., ..., ...))


# %% [markdown]
# **90.3 What an interval says.** (6 minutes) `low` and `high` are the ends of our 95 % interval,
# `printed` is the paper's difference (above 0). Return a pair of truths: does the interval show the
# paper's *direction*? Is the paper's *size* possible (inside, or on an end)?


# %%
def reads(low, high, printed):
    return ..., ...


check("90.3", reads)


# %% [markdown]
# **90.4 The other way round.** (6 minutes) `rows` is a list of `(paper, ours)`. Which pairs of rows
# `(i, j)`, with `i < j`, stand in one order in the paper and in the contrary one in ours? Return a
# list. (Two that are equal, in the paper or in ours, are in no order.)


# %%
def reversed_pairs(rows):
    return ...


check("90.4", reversed_pairs)

# %% jupyter={"source_hidden": true} tags=["hidden"]
unsolved = {"90.1": lambda *_: ..., "90.2": (..., ...), "90.3": lambda *_: (..., ...)}
unsolved["90.4"] = lambda *_: ...
assert all(check(number, answer).right is None for number, answer in unsolved.items())

# %% [markdown]
# ## Where to read on
#
# - Papers: [Zhang and Clark 2011](https://aclanthology.org/D11-1106/),
#   [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229),
#   [Liu et al. 2015](https://aclanthology.org/N15-1012/),
#   [Cohn and Lapata 2009](https://doi.org/10.1613/jair.2655).
# - Code: `wordorder_lab/experiments/papers` has the claims, a file an experiment,
#   `wordorder_lab/experiments/measures/claims.py` the judge,
#   `wordorder_lab/metrics/randomisation.py` the tests, `wordorder_lab/check/reasons.toml` the
#   reasons: add yours, with its test.
# - By hand: `wordorder-lab reproduce` names the experiments, with `--report` it writes all of this
#   as one page, with `--check` says which records are of other code.
# - Before this: [Exploring errors](33_exploring_errors.ipynb), on testing a guess; and
#   [the glossary](glossary.md).
