# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Start here
#
# **35 minutes**, of which the first ten go through everything once. You need: a little Python. No
# linguistics.
#
# [Glossary](glossary.md) · [Solutions](solutions/00_start_here.py) ·
# next: [Transition-based ordering](20_transition_based.ipynb)
#
# Take a sentence, shake its words into a bag, and let a program put them back in order. That is
# *word ordering*. It sounds like a party game, and it is a small, sharp window on three things at
# once: search (there are far too many orders to try them all), learning (what makes an order good
# is learned from a newspaper), and syntax (whoever orders words well builds a tree on the way).
#
# After this notebook you can
#
# - order a bag of your own words, find a mistake, and say whether the search or the model made it;
# - say how much better than chance a model is, and what the number hides;
# - find your way about: which paper, which folder, which notebook.
#
# Run a cell with Shift+Enter, from top to bottom.
#
# ## Ten minutes: a sentence, a search, a mistake, its reason
#
# The model here comes with the lab. It has read 22,000 sentences of web pages, encyclopedias and
# picture books, word by word and without capitals.

# %%
import wordorder_lab as wl

wl.order("fish the ate cat my .", beam=4)

# %% [markdown]
# Words in, a **sentence** out, with a **score** (many small numbers added up: only differences mean
# something) and a **tree** (an arrow points from a word to one that depends on it). Put words of
# your own between the quotes, in any order, and run the cell again.
#
# Sooner or later it goes wrong. Here:

# %%
words = "boat man the on lake saw the the ."  # and yours?
narrow, wide = wl.EventLog(), wl.EventLog()
wl.order(words, beam=4, engine="reference", trace=narrow)
wl.order(words, beam=16, engine="reference", trace=wide)
wl.play(narrow, wide, names=("beam 4", "beam 16"))

# %% [markdown]
# Two **searches**, A and B, for the same eight words. A column is a step, a card a sentence half
# built, which takes a word out of the bag or joins two that it has. There are far too many to keep,
# so only the best stay: four in A, sixteen in B. That is the **beam**. Dashed cards, with the
# scissors, were cut.
#
# The player opens where the ways to the two sentences part (**first difference** brings you back
# there): A's takes *boat*, B's *man*. Step on, and see how A cuts the way through *man*. Did the
# model not *like* it? Ask it for its points:

# %%
for beam in (1, 4, 16, 64):
    result = wl.order(words, beam=beam, engine="reference")
    print(f"beam {beam:2}  {result.score:7.1f}  {result.text}")

# %% [markdown]
# The right sentence has far *more* points. The model would have liked it best; the narrow beam had
# thrown it away before its good part came. That is a **search error**, and a wider beam mends it.
#
# The other kind:

# %%
for beam in (4, 16, 64):
    result = wl.order("train the to London . was late", beam=beam, engine="reference")
    print(f"beam {beam:2}  {result.score:7.1f}  {result.text}")

# %% [markdown]
# The wider the beam, the more points, and the sentence is still wrong: this is what the model
# likes. A **model error**; no search can help, only a model that has learned more. To see what
# points are made of, click a card below: each **feature** has a weight, learned from sentences.

# %%
wl.play(wide, why=True)

# %% [markdown]
# These were the first ten minutes: your sentence, a search, a mistake, and its reason. The rest of
# this notebook trains a model before your eyes and measures it.

# %%
from itertools import permutations
from math import factorial, isclose

from wordorder_lab.check import check, trained
from wordorder_lab.plots import lines, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

# %% [markdown]
# ## 1 · A bag of four words
#
# Here is a bag, and all the sentences that it can become:

# %%
words = ["IBM", "bought", "Lotus", "."]
orders = [" ".join(order) for order in permutations(words)]
print(f"{len(orders)} orders:")
for left, right in zip(orders[:12], orders[12:]):
    print(f"    {left:24}{right}")

# %% [markdown]
# You saw at a glance which of the 24 are English. How? You did not try them one by one; you knew
# that *bought* wants somebody in front and something behind, and that the full stop comes last.
#
# And did you notice that there are *two* good ones? Whether IBM bought Lotus or Lotus bought IBM is
# no matter of grammar. Keep that in mind: we shall meet it again.
#
# With more words, looking at all orders is hopeless:

# %%
table(
    [(n, factorial(n), factorial(n) / 1e6 / (60 * 60 * 24)) for n in (4, 8, 12, 16, 20)],
    ["words", "orders", "days, at a million orders a second"],
    formats="{:,.0f}",
)

# %% [markdown]
# In a newspaper the average sentence has more than 20 words. So a program must *search*: build it
# piece by piece, and drop what does not look promising. And to know what looks promising, it must
# have *learned*.
#
# ## 2 · A corpus, and a model that learns from it
#
# A corpus is a collection of sentences, here with a syntax tree each. Ours is the *Gazette*, a
# newspaper that does not exist: a grammar made it up for this lab, so everyone may have it. The
# sentences to learn from (`train`) and those to be judged by (`dev`, `test`) are kept apart.
#
# For sentences that people have written, change the line above to `CORPUS = "ptb-sample"` and run
# everything again: that is NLTK's sample of the Penn Treebank, from the *Wall Street Journal*. (In
# a shell, `wordorder-lab corpora` says whether you have it, and if not, how to get it.)

# %%
corpus = wl.load_corpus(CORPUS)
train, dev = corpus.train, corpus.dev
print(f"{len(train):,} sentences to learn from, {len(dev):,} that the model never sees.\n")
for sentence in train[:4]:
    print("   ", sentence.text)

# %%
model = trained(train, beam=16, epochs=5, pos=0)

# %% [markdown]
# (`trained` calls `wl.train("liu-2015", train, beam=16, epochs=5, pos=0)` and keeps the model on
# disk, so that the second time is quick.)
#
# What the model did: for each sentence, it took the words as a bag, ordered them as well
# as it could, compared the outcome with the original, and changed its weights where it had gone
# wrong. It read all the sentences five times (`epochs=5`). `pos=0` means that it is told no parts
# of speech: it has to find out for itself that *bought* is a verb. The
# [next notebook](20_transition_based.ipynb) opens the machine; here we only drive it.
#
# ## 3 · What comes back
#
# Six words, of which the model has read each in its newspaper. The order in which you type a bag
# makes no difference.

# %%
result = model.order(["rose", ",", "inflation", "Thursday", ".", "On"], k=5)
result

# %% [markdown]
# Five outputs were asked for (`k=5`). Is the same sentence in the list more than once? Then look at
# the tags and the trees: the model orders and parses at the same time, so what it ranks are
# sentences *with* an analysis.

# %%
table(
    [(one.score, one.text, " ".join(one.tree.pos), one.tree.heads) for one in result.k_best],
    ["score", "sentence", "tags", "heads"],
)

# %% [markdown]
# And our four words? Look at the tree before you read on: which word has become its root, and what
# does the model take *bought* for?

# %%
model.order(["IBM", "bought", "Lotus", "."])

# %% [markdown]
# The words stand well, the tree is wrong: this newspaper knows neither company, and *bought* stands
# in it three times in 2,000 sentences. (With the tags given, below, it knows the verb.)
#
# A bag of four is so small that the search can look at everything there is: `beam=10_000` means
# that nothing is ever dropped. We give the tags, too (`NP` is a noun phrase, `VBD` a verb in the
# past), and ask for every output. So this is the model's own opinion of all 24 orders, each with
# its best tree; here are the first twelve:

# %%
tagged = wl.WordBag(words, pos=["NP", "VBD", "NP", "."])
everything = model.order(tagged, beam=10_000, k=10_000).k_best

best_score = {}
for one in everything:  # best first, so the first time a sentence comes up is its best tree
    best_score.setdefault(one.text, one.score)
first_twelve = list(best_score.items())[:12]
table(first_twelve, ["sentence", "score of the best tree"], bar="score of the best tree", places=1)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert wl.order("fish the ate cat my .", beam=4).text.endswith("ate the fish .")
bag = "boat man the on lake saw the the ."
cut, found = (wl.order(bag, beam=beam, engine="reference") for beam in (4, 16))
assert found.text == "the man saw the boat on the lake ." and found.score > cut.score + 100
assert len(orders) == len(set(orders)) == len(best_score) == 24
assert len(everything) == 24 * 30  # orders, trees over four words without crossing arcs
assert list(best_score.values()) == sorted(best_score.values(), reverse=True)
assert result.k_best[0].text == result.text
both = best_score["IBM bought Lotus ."], best_score["Lotus bought IBM ."]
assert CORPUS != "gazette" or isclose(*both, abs_tol=1e-6)
assert CORPUS != "ptb-sample" or not isclose(*both, abs_tol=1e-6)

# %% [markdown]
# Where does *Lotus bought IBM .* stand? If it is close to the top, the model is not to blame: from
# these words alone nobody could tell. With the Gazette the two even have the same score, because
# that newspaper knows neither company. The *Wall Street Journal* has heard of one of them, so with
# the Penn sample they differ.
#
# ## 4 · Your own sentence
#
# Type words in any order and press **Run**. Square brackets keep a phrase whole, as in
# `[the board]`, and a slash gives a tag, as in `led/VBD`. Choose another model or beam for B, and
# you can compare two runs side by side. *Everyday English* is the model of the first ten minutes:
# take it for words that no newspaper has.

# %%
small = trained(train[:300], beam=16, epochs=5, pos=0)
form = wl.ordering_form(
    {
        f"learned from {len(train):,} sentences": model,
        "learned from 300": small,
        "everyday English": wl.load_model("everyday"),
    },
    text="increased . [The company] in Atlanta spending has",
    corpus_sentences=dev,
)
form

# %% jupyter={"source_hidden": true} tags=["hidden"]
trial = wl.ordering_form({"a": model, "b": small}, text="bought . Lotus IBM", beam=2)
trial.run()
assert sorted(trial.result.words) == sorted(words) and len(trial.log) > 20

# %% [markdown]
# Things to try:
#
# - a sentence of your own, six to eight units long. (Of words that it has never read a model says
#   so, and goes by their tags.)
# - with *everyday English* words that you invent: `zorp the ate wug my .`
# - the same bag with beam 1, 4 and 64; the model that has read only 300 sentences.
#
# ## 5 · Watch it search
#
# Hand an `EventLog` to any run and it writes down every step; `wl.play` replays the log. Here is
# the bag of four words:

# %%
log = wl.EventLog()
model.order(tagged, beam=3, trace=log)
wl.play(log)

# %% [markdown]
# Step with the arrow keys. The [next notebook](20_transition_based.ipynb) takes this picture apart.
#
# ## 6 · How good is it?
#
# We shuffle sentences that the model has never seen, order them again, and count how much comes
# out as it was. The usual count is **BLEU**: how many single words, pairs, triples and quadruples
# of the output also stand in the original, on a scale from 0 to 100.
#
# Before you run the next cell, guess: what BLEU does a *random* order get? And the model?

# %%
held_out = dev[:100]
learned_from = [30, 100, 300, 1000, len(train)]
models = [trained(train[:n], beam=16, epochs=5, pos=0) for n in learned_from]
scores = [wl.evaluate(one, held_out).scores for one in models]
floor = wl.random_order(held_out).scores

table(
    [("random order", floor.bleu_cased, floor.exact_match)]
    + [(f"learned from {n:,}", s.bleu_cased, s.exact_match) for n, s in zip(learned_from, scores)],
    ["", "BLEU", "sentences word for word"],
    formats={"BLEU": "{:.1f}", "sentences word for word": "{:.0%}"},
)

# %%
bleu = [one.bleu_cased for one in scores]
levels = {"random order": floor.bleu_cased}
axes = {"x": "sentences to learn from", "y": "BLEU", "log": "x", "low": 0}
lines({"model": (learned_from, bleu)}, levels=levels, ticks=learned_from, **axes)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert scores[-1].bleu_cased > floor.bleu_cased + 5, "learning must be worth something"
assert scores[-1].bleu_cased > scores[0].bleu_cased
assert all(one.brevity == 1 for one in scores), "every word finds its place"

# %% [markdown]
# Three things that the number does not tell by itself:
#
# - **Random order does not get 0.** Single words are always right, since it is the same bag. And
#   here phrases such as `[the board]` are kept whole, so even a shuffled sentence has good pairs.
#   A BLEU score means something only beside its floor, and beside scores with the same units.
# - **The corpus counts.** The Gazette's grammar is small and its sentences are short. With the Penn
#   sample the model has more to learn from, and yet it gets much less far above its floor. (A
#   likely reason: people write in more ways than our grammar.)
# - **Another order may be as good.** BLEU knows one right answer. Look at some:

# %%
done = wl.evaluate(model, held_out)
for i in [i for i, sentence in enumerate(held_out) if 6 <= len(sentence) <= 10][:6]:
    print("output    ", done.outputs[i])
    print("original  ", done.references[i], end="\n\n")

# %% [markdown]
# ## 7 · The map
#
# **Four papers.** Each is a system that you can run, watch and take apart.
#
# | paper | what it does |
# | --- | --- |
# | [Liu, Zhang, Che, Qin 2015](https://aclanthology.org/N15-1012/) | order by transitions |
# | [Zhang, Clark 2011](https://aclanthology.org/D11-1106/) | best-first search with CCG |
# | [Zhang, Clark 2015](https://doi.org/10.1162/COLI_a_00229) | the same, and dependencies |
# | [Cohn, Lapata 2009](https://doi.org/10.1613/jair.2655) | shorten sentences |
#
# What they claim is written down as data, and what came out of it here is computed from our runs:
# `wordorder-lab reproduce` lists both.
#
# **Folders.** Each family of search has a room of its own; `x.py` is to be read, `x_fast.py` is its
# fast twin.
#
# | folder of `wordorder_lab/` | what lives there |
# | --- | --- |
# | `structures`, `models` | bags, trees, categories; n-grams: what all the rest is made of |
# | `corpora` | files become sentences |
# | `transition` | Liu et al.: states, actions, features, beam, learner |
# | `best_first` | Zhang and Clark: edges, agenda, chart, search, learner |
# | `transduction` | Cohn and Lapata: grammar, chart, cube pruning, losses, learner |
# | `ngram_beam`, `assignment` | n-grams alone, by beam and exactly; a spanning tree of the words |
# | `parsing`, `deletion` | a treebank parser; compression by deletion, and with constraints |
# | `supertagging` | categories for words, each with its probability |
# | `inflection`, `linearization` | from lemmas to forms; two systems that order a tree's words |
# | `systems` | one short file a paper, which puts the pieces together |
# | `trace`, `widgets` | what a run wrote down; the players that replay it |
# | `metrics`, `experiments` | BLEU and its company; the papers' tables and figures |
#
# **Notebooks.** They are numbered by topic.
#
# | notebook | topic |
# | --- | --- |
# | 00 | you are here |
# | [01](01_corpora_and_grammars.ipynb) | trees, base NPs, CCG: what the systems learn from |
# | [02](02_reading_the_views.ipynb) | twelve questions to six pictures, without programming |
# | [10](10_best_first_ccg.ipynb) | best-first search with CCG: signatures, words to choose from |
# | [11](11_guided_learning.ipynb) | guided learning: updates during the search |
# | [12](12_best_first_dependency.ipynb) | best-first search: agenda, chart, scaled scores |
# | [13](13_supertagging_and_categories.ipynb) | where categories come from; a supertagger; β |
# | [20](20_transition_based.ipynb) | transition-based ordering: states, beam, early update |
# | [21](21_input_constraints.ipynb) | tags, arcs and orders that are given: what they forbid |
# | [30](30_language_models.ipynb) | language models: n-grams, smoothing, future cost, limits |
# | [31](31_search_and_model_errors.ipynb) | whose fault: the search's, the model's, or both |
# | [32](32_span_lengths.ipynb) | span lengths: which pieces a search builds, how many are right |
# | [33](33_exploring_errors.ipynb) | errors: from a table of scores to hypotheses that are tested |
# | [40](40_sentence_compression.ipynb) | sentence compression: rules between trees, cube pruning |
# | [41](41_structured_svm.ipynb) | the structured SVM: losses, cutting planes, the rate |
# | [42](42_compression_of_real_text.ipynb) | real text: a parser, deletion, constraints, judges |
# | [50](50_surface_realization.ipynb) | from lemmas to sentences: forms, trees, orders |
# | [90](90_reproduce_papers.ipynb) | all tables and figures: what came out, what did not, and why |
#
# Read the code beside the paper: start at `wordorder_lab/transition/beam.py`. It is short, and the
# paper's Algorithm 1 stands on top.
#
# ## 8 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer gets a hint;
# `check.hint("00.1")` asks for one beforehand, and `check.solution("00.1")` opens when the hints
# are used up. Nothing is graded.
#
# **00.1** (2 minutes) How many different sentences can be made of the eight words *a rose is a rose
# is a rose*?

# %%
answer = ...
check("00.1", answer)

# %% [markdown]
# **00.2** (3 minutes) Find a sentence of your own, five units or more, that the model orders as you
# meant it. A unit is a word or a whole phrase: `["the board", "met", ...]`.

# %%
my_sentence = ...
check("00.2", my_sentence, model=model)


# %% [markdown]
# **00.3** (5 minutes) Beat chance without learning anything: write a rule that orders a bag. You
# get the units as a list of strings and return all of them, in a better order.


# %%
def my_order(units):
    return ...


check("00.3", my_order, sentences=held_out)

# %% jupyter={"source_hidden": true} tags=["hidden"]
given = {"model": model, "sentences": held_out}
assert all(check(f"00.{i}", ..., **given).right is None for i in range(1, 4))

# %% [markdown]
# ## Where to read on
#
# - The paper behind this model: [Liu et al. 2015](https://aclanthology.org/N15-1012/), Section 1
#   for the task and Section 4 for the scores.
# - The next notebook: [Transition-based ordering](20_transition_based.ipynb).
# - Words that sounded strange: [the glossary](glossary.md).
