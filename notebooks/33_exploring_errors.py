# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Exploring errors
#
# **90 minutes**: sections 1 and 2 (scores, the explorer), 3 to 6 (three hypotheses), 7 and the
# exercises. You need: [Transition-based ordering](20_transition_based.ipynb), sections 1 to 4, and
# [Best-first search](12_best_first_dependency.ipynb), its search.
#
# [Glossary](glossary.md) · [Solutions](solutions/33_exploring_errors.py) ·
# papers: [Liu, Zhang, Che and Qin 2015](https://aclanthology.org/N15-1012/),
# [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229)
#
# Two systems have the same score. Can they do the same things? A table of scores does not say it,
# and with a few outputs one can show whatever one likes. Between the two there is a way: look at
# many sentences in order, guess what a system cannot do, and then *test the guess on sentences that
# you have not looked at*. Of the three guesses in this notebook one falls.
#
# After this notebook you can
#
# - say what a mean hides, and look behind it with histograms that are brushed;
# - find the moment at which a search lost the right answer;
# - turn "it looks as if" into a hypothesis, and choose a test for it;
# - tell a search error from a model error, and say why "gold was cut" does not decide it.

# %%
import pandas as pd
from scipy.stats import binomtest, fisher_exact, wilcoxon

import wordorder_lab as wl
from wordorder_lab.check import check, nb_33, trained

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
dev, test = corpus.dev[:150], corpus.test[:150]

# %%
everyday = wl.load_model("everyday")
short = [sentence for sentence in dev if len(sentence) <= 8][:12]
wl.explore(everyday, short, engine="reference", beam=8)

# %% [markdown]
# Twelve sentences of this newspaper, ordered by the model that comes with the lab, which has never
# read it. Press a row: it shows the reference and the output, what differs, and the player at the
# moment when the right one was lost. That is the **explorer**. Now with two systems of our own, and
# questions that can be answered.
#
# ## 1 · Two systems, one number
#
# Both learn from the same 400 sentences, without tags. One orders words with a beam (Liu et al.
# 2015), the other best-first (Zhang and Clark 2015, with dependency trees). A is the beam, B is
# best-first search.

# %%
best_first = trained(
    corpus.train[:400],
    "zhang-clark-2015-dependency",
    epochs=3,
    beam=32,
    pos=0,
    expansions=300,
    max_length=25,
)
beam = trained(corpus.train[:400], epochs=3, beam=32, pos=0)
names = ["beam", "best-first"]

# %% [markdown]
# Now both order 150 sentences that they have not seen: the *dev* half of what we have. We may look
# at these as long as we like. The *test* half stays closed until there is a hypothesis.

# %%
explorer = wl.explore([beam, best_first], dev, names=names)
seen = explorer.frame
seen[["bleu_a", "bleu_b", "exact_a", "exact_b"]].mean().to_frame("mean over dev").round(2)

# %% [markdown]
# About the same number twice (the mean of the sentences' BLEU here). If this were the table of a
# paper, one would say: no difference. The test of that table would agree: Wilcoxon's signed-rank
# test of the 150 differences.

# %%
p_of_means = wilcoxon(seen.difference).pvalue
far_apart = (seen.difference.abs() >= 20).sum()
print(f"p = {p_of_means:.2f}; yet {far_apart} of {len(seen)} sentences are 20 points or more apart")
seen[["bleu_a", "bleu_b", "difference"]].describe().round(1)

# %% [markdown]
# The mean of `difference` (B less A) is next to nothing, and its standard deviation is larger than
# half of either score. So they are not alike at all: they are good at *different sentences*, and
# what one wins the other wins elsewhere. "Which is better?" is the wrong question. "Better at
# what?" is the one to ask, and a mean has no answer to it.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(seen) == 150 and (seen.difference == seen.bleu_b - seen.bleu_a).all()
if CORPUS == "gazette":
    assert abs(seen.difference.mean()) < 2 and p_of_means > 0.3, "as good as equal"
    assert seen.difference.std() > 20 and far_apart > 30, "and far from alike"

# %% [markdown]
# ## 2 · The explorer
#
# Here are the 150 sentences, a row each. Take ten minutes with it:
#
# - **Brush.** Draw over the right end of the histogram *words*: only long sentences stay. Draw over
#   *B − A* as well: of these, those that B does better. The line on top counts them.
# - **Sort.** Press the head *BLEU A*: the worst ones come first.
# - **Open.** Press a row. It shows the reference and both outputs, and what is wrong with them in a
#   few words. **Play the search of A** opens the player *at the moment when gold was lost*: for the
#   beam the step at which the gold state was cut, for best-first search the pop after which a gold
#   edge was thrown out of the chart.
# - Press **clear**, and do the same with the short sentences.

# %%
explorer

# %% [markdown]
# What you select with the mouse, Python has: `explorer.selected` is a frame with these rows. It
# goes the other way round, too. (`explorer.save("hard.txt")` would keep the bags, for another day.)

# %%
explorer.filter = {"words": [18, None]}
long_ones = explorer.selected
explorer.filter = {"words": [None, 8]}
short_ones = explorer.selected
explorer.filter = {}
pd.DataFrame(
    {
        "sentences": [len(long_ones), len(short_ones)],
        "BLEU A": [long_ones.bleu_a.mean(), short_ones.bleu_a.mean()],
        "BLEU B": [long_ones.bleu_b.mean(), short_ones.bleu_b.mean()],
    },
    index=["18 words or more", "8 words or fewer"],
).round(1)

# %% [markdown]
# Long sentences are hard for both, which one could have known. But the short ones, of which one
# would think that any search gets them right? There B is behind. What does it do to them?

# %%
worst_short = short_ones.sort_values("difference").head(8)
worst_short[["reference", "output_a", "output_b", "difference"]].round(0)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert explorer.filter == {} and len(explorer.selected) == len(seen)
assert (long_ones.words >= 18).all() and (short_ones.words <= 8).all()
if CORPUS == "gazette":
    assert long_ones.bleu_a.mean() < short_ones.bleu_a.mean()
    assert short_ones.bleu_b.mean() < short_ones.bleu_a.mean()

# %% [markdown]
# ## 3 · Hypothesis 1: best-first search does not know how a sentence begins
#
# Read the outputs of B: *attempted to disagree The therapist .* The pieces are right, and the
# subject stands behind its verb. That looks like more than chance. And there is a reason to expect
# it: the features that see the first word of a sentence, `WORD(0)`, exist only for edges that have
# *all* words (Zhang and Clark 2015, Table 2: "complete sentences"). Each piece is scored without a
# thought of where it will stand. The beam writes from left to right, and its first SHIFT *is* the
# beginning.
#
# So far this is a story. It becomes a hypothesis when one can count it: **B has the right first
# word less often than A.** Before you run the cell: how would it look if the story were wrong?

# %%
first_of = {name: seen[name].str.split().str[0] for name in ("reference", "output_a", "output_b")}
begins = pd.DataFrame(
    {
        "A begins right": first_of["output_a"] == first_of["reference"],
        "B begins right": first_of["output_b"] == first_of["reference"],
    }
)
begins.sum()

# %% [markdown]
# A clear difference. But these are the sentences that gave us the idea: they *had* to show it. In
# 150 sentences there are many patterns, and the eye finds those that are there by chance as easily
# as the others. A fair test asks sentences that nobody has looked at. Now we open *test*:

# %%
fresh = wl.explore([beam, best_first], test, names=names).frame
first_of = {name: fresh[name].str.split().str[0] for name in ("reference", "output_a", "output_b")}
a_begins = first_of["output_a"] == first_of["reference"]
b_begins = first_of["output_b"] == first_of["reference"]
pd.crosstab(a_begins.rename("A begins right"), b_begins.rename("B begins right"))

# %% [markdown]
# Which test? Where both are right or both are wrong, the sentence says nothing about who is better.
# That leaves two fields of the table. If the systems were equal in this, a sentence that only one
# of them begins right would be a coin toss: a **binomial test** with 1/2 (known as McNemar's).

# %%
only_a, only_b = int((a_begins & ~b_begins).sum()), int((b_begins & ~a_begins).sum())
p_beginning = binomtest(only_b, only_a + only_b).pvalue
print(f"only A begins right: {only_a}, only B: {only_b}, p = {p_beginning:.1e}")

# %% [markdown]
# **It holds**, on sentences that had no part in the idea. How much of B's loss is it? Look at those
# that B begins right, and at the rest:

# %%
fresh.groupby(b_begins.rename("B begins right"))[["bleu_a", "bleu_b", "words"]].mean().round(1)

# %% [markdown]
# Careful now: this last table is no test of anything. A sentence that B gets right as a whole also
# begins right, so the upper group is worse by its definition, whatever the cause. What would show
# the cause? To *do* something: change what is suspected, leave all else as it is, and look again.
# Section 5 does that with the beam.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(fresh) == 150 and set(fresh.reference) != set(seen.reference)
if CORPUS == "gazette":
    assert only_a > 2 * only_b and p_beginning < 0.001, "hypothesis 1 holds"
    assert begins["A begins right"].sum() > begins["B begins right"].sum()

# %% [markdown]
# ## 4 · Hypothesis 2: what is lost is lost early
#
# Sort by *lost at A*, or look at its histogram: the beam loses gold at small steps. A sentence of
# *n* units has 2*n* - 1 of them. Of the gold states that were cut on dev, how many were cut in the
# first half?

# %%
units = pd.Series([len(sentence) for sentence in dev])
cut = seen.fate_a == "cut"
early = seen.lost_a <= units
print(f"{(cut & early).sum()} of {cut.sum()} are cut at step n or before")

# %% [markdown]
# Nearly all! Is that the proof? No, and this trap is worth a moment. Gold can be lost **only
# once**. Let each step lose it with the same chance of 1 in 6: of searches for ten units, five in
# six have then lost it by step 10, and nearly all losses are early, though no step is worse than
# another.
#
# So the question is one of *risk*: of the searches that still have gold, which share loses it at
# the next step? The hypothesis is now: **in the first half a step is riskier than in the second.**
# We count steps that were survived and steps that were not, on test:

# %%
units = pd.Series([len(sentence) for sentence in test])
known = fresh.fate_a != "unknown"  # gold is in the search space at all
cut = known & (fresh.fate_a == "cut")
lasted = fresh.lost_a.where(cut, 2 * units - 1)[known]  # steps that gold was in
in_first = lasted.clip(upper=units[known]).sum()
in_second = lasted.sum() - in_first
lost_first = (cut & (fresh.lost_a <= units)).sum()
lost_second = cut.sum() - lost_first

# %%
risks = pd.DataFrame(
    {
        "gold is cut": [lost_first, lost_second],
        "gold stays": [in_first - lost_first, in_second - lost_second],
    },
    index=["steps 1 to n", "steps n + 1 to 2n - 1"],
).astype(int)
p_early = fisher_exact(risks).pvalue
print(f"p = {p_early:.1e}")
risks.assign(risk=(risks["gold is cut"] / risks.sum(axis=1)).round(3))

# %% [markdown]
# **It holds**, against the harder opponent: a step of the first half is many times as risky.
# (Fisher's exact test asks whether the two rows of the table could have the same risk. It takes the
# steps of one sentence as independent, which is a simplification: a p of 0.04 would not have
# convinced us.)
#
# Why would it be so? At first the bag is full and the sentence empty: many words might come next,
# and hardly any feature has anything to look at. Later fewer words are left, and each has a
# context. Open three searches in the explorer at the moment of loss and read what was kept instead
# of gold.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert lost_first + lost_second == cut.sum() and (risks >= 0).all().all()
assert (lasted <= 2 * units[known] - 1).all()
if CORPUS == "gazette":
    assert lost_first > 10 * lost_second and p_early < 0.001, "hypothesis 2 holds"

# %% [markdown]
# ## 5 · Hypothesis 3: a wrong output is a search error
#
# Of most rows `fate_a` says that gold was *cut*. So the search is to blame: had the beam been
# wider, gold would have won. Wouldn't it?
#
# There are two ways to be wrong. A **search error**: gold has the higher score, and the search did
# not find it. A **model error**: the model scores the wrong output higher; the best search of all
# would choose it. The frame has both scores, for gold's own derivation is scored even after it was
# cut. The hypothesis: **of the beam's wrong outputs, more than half are search errors.**

# %%
wrong = fresh[~fresh.exact_a & fresh.gold_score_a.notna()]
searching = wrong.gold_score_a > wrong.score_a
kind = searching.map({True: "search error", False: "model error"}).rename("kind")
p_search = binomtest(int(searching.sum()), len(wrong)).pvalue
print(f"{searching.sum()} of {len(wrong)} wrong outputs are search errors, p = {p_search:.4f}")
pd.crosstab(wrong.fate_a, kind)

# %% [markdown]
# **It falls**, and not by a hair: the test is significant in the *other* direction. Look at the row
# *cut*: of those, too, most are model errors. That gold was cut says when it went. Whether it would
# have won is another question. (A model error is certain: the output itself is the proof. Of a
# search error we know only that gold would have beaten this output. A third sentence might beat
# both.)
#
# If that is right, a wider beam should help where there is a search error, and hardly elsewhere.
# That is a prediction, and we can *do* it: a beam eight times as wide, and one of a quarter.

# %%
widths = {width: wl.explore(beam, test, beam=width).frame for width in (8, 32, 256)}
gain = widths[256].bleu - widths[32].bleu
p_wider = wilcoxon(gain).pvalue
print(f"beam 256 instead of 32: {gain.mean():+.1f} BLEU a sentence, p = {p_wider:.2f}")
gain[wrong.index].groupby(kind).agg(["size", "mean"]).round(1)

# %%
rows = []
for width, frame in widths.items():
    errors = frame[~frame.exact & frame.gold_score.notna()]
    in_search = (errors.gold_score > errors.score).sum()
    in_model = len(errors) - in_search
    bleu = frame.bleu.mean().round(1)
    rows.append((width, len(errors), in_search, in_model, bleu))
by_width = pd.DataFrame(rows, columns=["beam", "wrong", "search errors", "model errors", "BLEU"])
by_width

# %% [markdown]
# So the answer is a different one for each beam: with 8 states the search is mostly to blame, with
# 32 the model, with 256 nearly always the model. "Search or model?" is no property of a system, but
# of a system *and its settings*. And it says where to work: at 32 there is little to gain by more
# search, and more by better features or more sentences to learn from.
#
# The frame has the answer for both systems: the column `fault`. B's search seldom makes gold whole,
# so gold is built by itself there, and scored.

# %%
pd.crosstab(fresh.fate_b, fresh.fault_b)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert widths[32].output.equals(fresh.output_a), "the same search as beside best-first"
if CORPUS == "gazette":
    assert searching.mean() < 0.5 and p_search < 0.05, "hypothesis 3 falls"
    assert by_width["search errors"].is_monotonic_decreasing
    assert by_width["model errors"].is_monotonic_increasing
    assert by_width["search errors"][0] > by_width["model errors"][0], "a narrow beam is to blame"
    assert gain[wrong.index][searching].mean() > gain[wrong.index][~searching].mean()
    assert p_wider > 0.05, "as the text says, little to gain"

# %% [markdown]
# ## 6 · What we may say now
#
# | hypothesis | on dev it looked so | on test |
# | --- | --- | --- |
# | B does not know how a sentence begins | yes | holds |
# | the beam loses early | yes, but for the wrong reason | holds, as a risk a step |
# | a wrong output is a search error | yes: "cut" | falls |
#
# And what we may *not* say:
#
# - **Of these systems, or of these models?** Each was trained once, on 400 sentences of one corpus
#   that a grammar made. "Best-first search cannot begin a sentence" is about this model here. Train
#   it on more, and count again; take another corpus in the first cell.
# - **How many guesses were there?** Three, and all are told. Who tries twenty and tells the one
#   that came out has shown nothing (exercise 33.4).
# - **Test is open now.** We have looked at it. The next idea needs other sentences: here
#   `corpus.test[150:]` is left, elsewhere one keeps a part aside from the start.
#
# ## 7 · Your own
#
# Ten minutes with the explorer on dev, then one sentence that begins with "B loses where ..." or "A
# loses where ...". Write down *before you look* what you will count, and which result would speak
# against you; then count it in `fresh`. Some to begin with:
#
# - *Prepositions*: does one of them lose more where there are many? (Sentences with many of them
#   are long. Compare sentences of equal length, or you test length once more.)
# - *Exchanged phrases*: `error_a` and `error_b` name kinds of errors. Which kind has one system
#   more often?
# - *Words left out*: only B has it. Look at `ended_b` beside it.

# %%
pd.crosstab(seen.error_a, seen.error_b)

# %% [markdown]
# ## 8 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is shown where it goes
# wrong, and gets a hint; `check.hint("33.1")` asks for one, `check.solution("33.1")` opens when the
# hints are used up.
#
# **33.1 Whose fault?** (3 minutes) Say of each row `"right"`, `"search error"`, `"model error"`, or
# `"cannot be told"`.

# %%
pd.DataFrame(nb_33.SEARCHES)

# %%
check("33.1", [..., ..., ..., ..., ..., ...])


# %% [markdown]
# **33.2 Write the risk of each step.** (6 minutes) `lost` has the step at which each search lost
# gold (`None`: it never did), `steps` how many steps each had. Return a list: for step 1, 2, ... up
# to the longest search the share of those that lose gold there, of all that still run and still
# have it; 0 where there are none. (Then use it on `fresh`: which step is the worst?)


# %%
def risk(lost, steps):
    return ...


check("33.2", risk)


# %% [markdown]
# **33.3 Write a permutation test.** (6 minutes) Wilcoxon's test looks at ranks. This one looks at
# the numbers: if the two systems were the same, each difference could as well have the other sign.
# Go through all ways to set the signs, and return the share of those whose sum is at least as far
# from 0 as the sum that was seen. (At most eight differences are handed in. `itertools.product`
# helps.)


# %%
def p_value(differences):
    return ...


check("33.3", p_value)

# %% [markdown]
# **33.4 Twenty looks.** (3 minutes) Twenty hypotheses are tested at the level 0.05. All are false,
# and the tests are independent. How many come out as "significant", on average? With which chance
# at least one? And which level must each test have for that chance to be at most 0.05, by
# Bonferroni's rule?

# %%
check("33.4", (..., ..., ...))

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"33.{i}", ...).right is None for i in range(1, 5))

# %% [markdown]
# ## Where to read on
#
# - Papers: [Liu et al. 2015](https://aclanthology.org/N15-1012/), section 4;
#   [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229), sections 3.4, 4.3 and 5.
# - Code: `wordorder_lab/exploring/rows.py` (what each column is),
#   `wordorder_lab/exploring/errors.py` (kinds of errors), `wordorder_lab/analysis/gold_survival.py`
#   (what became of gold).
# - Without Python: `wordorder-lab explore --model a.wol --model b.wol --out explore.html`.
# - [The glossary](glossary.md); before this one: [Span lengths](32_span_lengths.ipynb).
