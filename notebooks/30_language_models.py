# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Language models
#
# **90 minutes**, or two lessons: sections 1 to 3 (counting), 4 to 8 (searching, and what it comes
# to). You need: [Transition-based ordering](20_transition_based.ipynb), its beam (section 2).
#
# [Glossary](glossary.md) · [Solutions](solutions/30_language_models.py) ·
# papers: [Schmaltz, Rush and Shieber 2016](https://aclanthology.org/D16-1255/),
# [Zhang, Blackwood and Clark 2012](https://aclanthology.org/E12-1075/)
#
# The systems of the other notebooks order words by building trees. This one knows nothing of trees.
# It has counted which words stand beside each other, and that goes a long way: in 2016 it beat all
# of them on newspaper text. How does it do that, and where does it end?
#
# After this notebook you can
#
# - make an n-gram model by counting, and say what is wrong with it;
# - explain discount, back-off and the continuation count of Kneser and Ney with one word each;
# - say what a future cost is for, and show what happens without it;
# - tell what no n-gram model can do, and prove it with minimal pairs;
# - put a language model beside syntax, and choose its weight without cheating.

# %%
from collections import Counter

import wordorder_lab as wl
from wordorder_lab.check import check, nb_30, ordered, trained
from wordorder_lab.plots import Panel, lines, panels, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
train, dev, test = corpus.train[:2000], corpus.dev[:150], corpus.test[:200]

# %% [markdown]
# ## 1 · Picture first
#
# A bag of words, and a model that has read the corpus. It begins at the left and puts one word
# behind the other. After each step the best hypotheses are kept and the others are cut: a beam, as
# in notebook 20, but there is only one kind of action. The last column has the sentences.

# %%
# Words seen once are unknown here, and all alike: the simplest that one can do.
plain = {"min_count": 2, "signatures": False, "progress": False}
model = wl.train("ngram-beam", train, order=5, **plain)

short = [sentence for sentence in dev if 6 <= len(sentence) <= 9]
saved = nb_30.saved_by_future_cost(model, short, beam=4)
shown = (saved or short)[0]
bag = wl.bag_of(shown, pos=0)

log = wl.EventLog()
result = model.order(bag, beam=4, trace=log)
wl.play(log)

# %% [markdown]
# Step through it with the arrow keys.
#
# - What does a card say about the words that are *left over*? And about trees?
# - The score of a card has two parts: what the words so far have cost, and a guess at what the rest
#   will cost. Section 4 says why.
# - When was the right beginning in danger?
#
# ## 2 · What an n-gram knows
#
# The probability of a sentence is a product, a factor for each word given *all* the words before
# it. Nobody can count that: most beginnings have never been written before. So one looks only at
# the last words. With one word before, this is a **bigram** model, with four a **5-gram** model:
#
#     p(w1 ... wm) = p(w1 | <s>) · p(w2 | w1) · ... · p(</s> | wm)              bigram
#
# `<s>` and `</s>` mark where a sentence begins and ends. Now count:

# %%
text = [sentence.surface for sentence in train]
pairs = Counter(
    pair for words in text for pair in zip(["<s>", *words], [*words, "</s>"], strict=True)
)
words = Counter(word for sentence in text for word in sentence)

after_the = Counter({second: n for (first, second), n in pairs.items() if first == "the"})
followed = after_the.total()
rows = [(word, n, n / followed) for word, n in after_the.most_common(6)]
table(rows, ["after 'the'", "count", "p(word | the)"], places=4)

# %% [markdown]
# That is the whole model: divide a count by a count. (Exercise 30.1 asks you to write it.) Its
# trouble comes with the first sentence that it has not read:

# %%
unread = [sentence.surface for sentence in dev]
needed = Counter(
    pair for words_ in unread for pair in zip(["<s>", *words_], [*words_, "</s>"], strict=True)
)
new = sum(n for pair, n in needed.items() if pair not in pairs) / needed.total()
impossible = sum(
    any(pair not in pairs for pair in zip(["<s>", *words_], [*words_, "</s>"])) for words_ in unread
) / len(unread)
print(f"{new:.0%} of the pairs in dev are not in train; {impossible:.0%} of its sentences have one")

# %% [markdown]
# One factor of 0, and the product is 0: the model calls nearly every new sentence impossible, and
# all orders of its words equally so. Not seen is not impossible. Something has to be taken from
# what was seen and given to what was not: **smoothing**.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert followed == sum(n for (first, _), n in pairs.items() if first == "the")
assert len(result.units) == len(shown)
if CORPUS in ("gazette", "ptb-sample"):
    assert impossible > 0.9 and 0.2 < new < 0.6, "nearly every new sentence"
    assert CORPUS != "gazette" or saved, "the player shows a search that future cost has saved"

# %% [markdown]
# ## 3 · Smoothing
#
# Three ideas, one on top of the other.
#
# **Discount.** Take a little, *d*, off each count that is not 0. A pair seen once is mostly luck.
#
# **Back off.** Share out what was taken by what a *shorter* context says: after *the exporter of*
# nothing is known of *gas*, so ask what follows *of*, and if that is new too, how likely *gas* is
# at all. **Interpolated** means that the shorter one always has its say, also where the pair was
# seen:
#
#     p(w | v) = (c(v w) - d) / c(v)  +  g(v) · p(w)          g(v): what v's followers gave away
#
# **Company.** And what is p(w), the last resort? Its frequency? Kneser and Ney had a better idea.
# In a newspaper *Francisco* is frequent, but it only ever comes after *San*. Where the word before
# is new, *Francisco* is a bad guess. So count in how many different words' *company* a word was
# seen: its **continuation count**. Has your corpus a Francisco? We look for a word that comes
# often, and after few different words, and take one beside it that is as frequent:

# %%
company = Counter(second for _, second in pairs)
begins = {second for first, second in pairs if first == "<s>"}
frequent = [word for word, n in words.items() if n >= 20 and word.isalpha() and word not in begins]
francisco = min(frequent, key=lambda word: (company[word], -words[word], word))
others = [word for word in frequent if word != francisco]
other = min(others, key=lambda word: (abs(words[word] - words[francisco]), -company[word], word))

bigrams = wl.estimate_ngrams(text, 2)
rows = []
for word in (francisco, other):
    by_count = words[word] / (words.total() + len(text))
    by_company = 2.718281828 ** bigrams.log_prob((), bigrams.word_id(word))
    rows.append((word, words[word], company[word], by_count, by_company))
heads = ["word", "count", "different words before it", "p by counts", "p by company"]
table(rows, heads, {heads[3]: "{:.5f}", heads[4]: "{:.5f}"})

# %% [markdown]
# By counts the two are equally likely after a word that the model has never seen. By company the
# second is several times as likely: it has been in many places, so it may turn up in one more.
# (And where the word before *was* seen with it, the first term of the sum knows that.)
#
# Our models use three discounts, for pairs seen once, twice and more often, after Chen and Goodman:
# *interpolated modified Kneser-Ney*. It is done on each level, from the 5-grams down.
#
# ### How far back is worth it?
#
# **Perplexity** tells how surprised a model is by a text: with perplexity 20 it is as unsure at
# each word as if it had to choose among 20 equally likely ones. Of its own training text, and of
# sentences that it has not read:

# %%
of_train, of_dev, bleu = {}, {}, {}
for order in range(1, 6):
    counted = wl.estimate_ngrams(text, order)
    of_train[order], of_dev[order] = counted.perplexity(text), counted.perplexity(unread)
    orderer = wl.train("ngram-beam", train, order=order, **plain)
    bleu[order] = wl.evaluate(orderer, dev, beam=16).scores.bleu_cased

perplexities = {"text it has read": of_train, "text it has not read": of_dev}
panels(
    Panel(perplexities, "order", "perplexity", log="y", title="how surprised"),
    Panel({"dev": bleu}, "order", "BLEU", title="how well it orders"),
)

# %% [markdown]
# The great leap is from one word to two. From then on what has been read gets ever less surprising,
# for the model knows it by heart, and for new text there is little more to gain. Longer n-grams do
# no harm, though: where one was never seen, the model backs off.
#
# Now look at the right. Perplexity hardly notices the third word, and BLEU does. One asks about the
# probability of each word *after the true words*; the other about an order that the model had to
# find among all orders. A model may be better at the one by little and at the other by much.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(of_train[n] > of_train[n + 1] for n in range(1, 5))
if CORPUS in ("gazette", "ptb-sample"):
    assert company[francisco] <= 2 and rows[1][4] > 3 * rows[0][4], "several times as likely"
    assert abs(words[other] - words[francisco]) <= words[francisco] / 5
    assert of_dev[1] > 2 * of_dev[2] and of_dev[2] / of_dev[3] < 1.15, "little more to gain"
    assert abs(of_dev[5] / of_dev[3] - 1) < 0.02, "and no harm"
    assert of_train[5] < of_train[3] / 1.3 and of_train[3] < of_train[2] / 2
    assert bleu[1] < bleu[2] - 5 and bleu[2] < bleu[3] - 3, "BLEU notices the third word"

# %% [markdown]
# ## 4 · The search
#
# To order a bag is to find its likeliest order. All orders have the same words, and the search
# builds them from left to right, with a beam: `wordorder_lab/ngram_beam/beam.py` has it in 230
# lines, the pseudo-code on top.
#
# There is a trap. In one column of the player all hypotheses have equally many words, but *not the
# same words*. Frequent words cost little: *of the* is likelier than *harbour closed*, always. A
# search that goes by scores alone takes the cheap words first. The dear ones are left for the end,
# where they have to stand behind each other, whatever they are.
#
# The way out: add a guess at what the words left over will cost. The guess is their probability
# after nothing, log p(w), the **future cost**. Here is the same bag without it (A) and with it (B).
# Press **first difference**:

# %%
without = wl.EventLog()
model.order(bag, beam=4, future_cost=False, trace=without)
wl.play(without, log, names=("scores alone", "with future cost"))

# %% [markdown]
# Is it one bag, or all? BLEU over dev, by the width of the beam; and how frequent the words of the
# outputs are, from the first fifth of a sentence to the last (ten words or more, beam 1, without
# the full stop):

# %%
widths = (1, 4, 16, 64)
runs = {
    (width, future_cost): wl.evaluate(model, dev, beam=width, future_cost=future_cost)
    for width in widths
    for future_cost in (True, False)
}
names = {True: "with future cost", False: "scores alone"}
by_width = {
    name: {width: runs[width, on].scores.bleu_cased for width in widths}
    for on, name in names.items()
}
alone = wl.estimate_ngrams(text, 1)
by_place = {name: nb_30.mean_cost(alone, runs[1, on].outputs) for on, name in names.items()}
by_place["the true order"] = nb_30.mean_cost(alone, runs[1, True].references)

# %%
panels(
    Panel(by_width, "beam", "BLEU", log="x", ticks=widths, title="by the width of the beam"),
    Panel(by_place, "fifth of the sentence", "mean log p(word)", title="cheap words first"),
)

# %% [markdown]
# The narrower the beam, the more the guess is worth. And on the right is why: *scores alone* spends
# its frequent words in the second and third fifth, and the last one gets what is left. (Sentences
# do rise and fall a little by themselves: compare with the true order.)
#
# (The guess is a crude one. It does not know that *Francisco* will be nearly free once *San* has
# come. Why does it not have to be good? It only decides who stays.)
#
# ### Recombination
#
# Two hypotheses with the same words left over and the same last four words: whatever comes now, it
# is worth the same for both. The worse one can never win, so it need not take up a place in the
# beam. In the player it has its own sign, *recombined*.

# %%
rows = []
for order in (2, 3, 5):
    orderer = model if order == 5 else wl.train("ngram-beam", train, order=order, **plain)
    for recombine in (False, True):
        bags = [wl.bag_of(sentence, pos=0) for sentence in dev]
        outputs = ordered(orderer, bags, beam=16, recombine=recombine)
        recombined = sum(output.counters["recombined"] for output in outputs) / len(dev)
        likelihood = sum(output.score for output in outputs) / len(dev)
        rows.append((order, "yes" if recombine else "no", recombined, likelihood))
recombination = rows
table(rows, ["order", "recombination", "recombined a sentence", "mean log p of the output"])

# %% [markdown]
# A bigram model forgets everything but the last word, so many hypotheses fall together, and the
# places that are set free find likelier sentences. A 5-gram model has a longer memory, and there is
# less to gain. It is the same idea as the *signature* of best-first search: what cannot be told
# apart by anything to come is one thing.

# %% jupyter={"source_hidden": true} tags=["hidden"]
by_order = {(order, on): (n, likelihood) for order, on, n, likelihood in recombination}
assert all(by_order[n, "no"][0] == 0 < by_order[n, "yes"][0] for n in (2, 3, 5))
if CORPUS in ("gazette", "ptb-sample"):
    better = {n: by_order[n, "yes"][1] - by_order[n, "no"][1] for n in (2, 3, 5)}
    assert by_order[2, "yes"][0] > by_order[3, "yes"][0] > by_order[5, "yes"][0]
    assert better[2] > better[5] and better[2] > 0, "less to gain with a longer memory"
    gains = [by_width[names[True]][width] - by_width[names[False]][width] for width in widths]
    assert min(gains) > 0 and gains[0] == max(gains), "worth most where the beam is narrow"
if CORPUS == "gazette":
    assert gains == sorted(gains, reverse=True), "the narrower the beam, the more"
    greedy, guessing, true = (
        by_place[name] for name in ("scores alone", names[True], list(by_place)[2])
    )
    assert min(greedy[1], greedy[2]) > max(guessing[1], guessing[2]) > max(true[1], true[2])
    assert greedy[4] < min(guessing[4], true[4]), "the last fifth gets what is left"

# %% [markdown]
# ## 5 · Whose fault?
#
# Not every wrong sentence is the beam's fault. For a short bag one can look at *all* orders, by a
# trick of Held and Karp: go from small sets of words to larger ones, and of all beginnings with the
# same words and the same ending keep the best. `exact=True` does it, for up to fourteen units.
# (Exercise 30.6 asks you to write it for bigrams.)
#
# With it the question has an answer. Where the output is wrong and the true order is *likelier*,
# the search has missed it: a **search error**. Where it is not, the model likes the wrong one at
# least as well, and no search would help: a **model error**.

# %%
few = [sentence for sentence in dev if len(sentence) <= 9][:50]
searches = {f"beam {width}": {"beam": width} for width in (1, 4, 16, 64)}
searches["exact"] = {"exact": True}
faults = {name: nb_30.fault_counts(model, few, **how) for name, how in searches.items()}
table([{"search": name, **counts} for name, counts in faults.items()])

# %% [markdown]
# The wider the beam, the fewer search errors; exact search has none, by its nature. But look at the
# next column: the model errors *grow*. Of what looked like the search's fault a part was the
# model's, too, which came to light when the search got better. And what is wrong with exact search
# no search can mend. Where to work, then? At the model. (Notebook 31 will go on from here.)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert faults["exact"]["search error"] == 0
assert all(sum(list(counts.values())[:3]) == len(few) for counts in faults.values())
best = faults["exact"]["mean log p"] + 1e-6
assert all(counts["mean log p"] < best for counts in faults.values())
if CORPUS in ("gazette", "ptb-sample"):
    errors = [faults[f"beam {width}"]["search error"] for width in (1, 4, 16, 64)]
    assert errors == sorted(errors, reverse=True)
    assert faults["beam 64"]["model error or tie"] > 3 * errors[-1]
    assert faults["exact"]["model error or tie"] > faults["beam 4"]["model error or tie"]

# %% [markdown]
# ## 6 · Counting against trees
#
# Now the contest: the 5-gram model, the transition system of Liu et al. with its trees, and both
# together (section 8 says how). All learn from the same sentences, and no tags are given. How much
# the language model counts beside the trees is one number, `lm_weight`. It is chosen on *dev*:

# %%
syntax = trained(train, epochs=5, beam=16, pos=0, lm_order=5)
weights = (0, 1, 2, 4, 8, 16)
on_dev = {w: wl.evaluate(syntax, dev, beam=64, lm_weight=w).scores.bleu_cased for w in weights}
weight = max(on_dev, key=on_dev.get)
lines({"both": on_dev}, x="weight of the language model", y="BLEU on dev, beam 64", ticks=weights)

# %% [markdown]
# With weight 0 it is syntax alone (the trees have been learned without the language model). And
# then, once, on *test*:

# %%
systems = {
    "5-grams alone": wl.evaluate(model, test, beam=64),
    "trees alone": wl.evaluate(syntax, test, beam=64, lm_weight=0),
    f"both, weight {weight}": wl.evaluate(syntax, test, beam=64, lm_weight=weight),
}
both = list(systems)[-1]
rows = [
    {
        "system": name,
        "BLEU": evaluation.scores.bleu_cased,
        "all words right (%)": 100 * evaluation.scores.exact_match,
    }
    for name, evaluation in systems.items()
]
table(rows, places=1)

# %%
against = {name: nb_30.beside(systems[name], systems[both]) for name in list(systems)[:2]}
counts_or_trees = nb_30.beside(systems["trees alone"], systems["5-grams alone"])
comparisons = {
    "5-grams against trees": counts_or_trees,
    **{f"both against {name}": difference for name, difference in against.items()},
}
table(
    [(name, points, p) for name, (points, p) in comparisons.items()],
    ["", "points of BLEU", "p"],
    {"points of BLEU": "{:+.1f}", "p": "{:.4f}"},
)

# %% [markdown]
# On the Gazette 5-grams are ahead of the trees, by three points that could still be luck. (This p
# counts one side: ask for less than 0.025.) So a model that can only count neighbours is *not
# behind* one that learns trees. Put the curve of section 3 beside it: trigrams are behind, and from
# 4-grams on they have caught up. On real newspaper text the distance was larger: for section 23 of
# the Penn Treebank, with base NPs kept whole and a beam of 64, Schmaltz et al. report 54.3 BLEU for
# 5-grams, and Liu et al. 49.4 for their trees.
#
# Why is counting so hard to beat?
#
# - **It looks where BLEU looks**: at words that stand beside each other, four at a time.
# - **It counts everything.** A perceptron learns from its mistakes only, by adding and subtracting
#   ones; what it never got wrong has no weight.
# - **It says how sure it is**, with smoothing that was worked out for that. The trees have to learn
#   a weight for each pair of words that they have seen, and for a new pair there is none.
# - **Without tags** a tree is a guess as well.
#
# The last row is the more interesting one: *both* is far above either, so each has something to say
# that the other has not learned. (Change `CORPUS` and run this section again: how much of that is
# left on real newspaper text, with 2,000 sentences to learn from?)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert set(on_dev) == set(weights) and on_dev[weight] == max(on_dev.values())
if CORPUS == "gazette":
    assert 2.5 < counts_or_trees[0] < 3.5 and 0.025 < counts_or_trees[1] < 0.2, "could be luck"
    assert bleu[3] < on_dev[0] - 2 and min(bleu[4], bleu[5]) > on_dev[0], "4-grams have caught up"
    assert all(points > 5 and p < 0.01 for points, p in against.values()), "far above either"
    assert weight == 2
if CORPUS == "ptb-sample":
    assert counts_or_trees[0] > 0 and counts_or_trees[1] < 0.025
    assert against["trees alone"][0] > 0 and against["trees alone"][1] < 0.025

# %% [markdown]
# ## 7 · What they cannot do
#
# ### Long dependencies
#
# *The exporter **has** apologized*, *the exporters **have** apologized*: the verb agrees with its
# subject. Does a model know that? A **minimal pair** asks: two beginnings that differ in the
# subject's number alone, and the ratio p(has) / p(have) after each. If the model sees the subject,
# the ratios differ. Between subject and verb we put more and more words, and take the mean over all
# nouns that the corpus has in both numbers:

# %%
nouns = nb_30.noun_pairs(words)
sees = {order: nb_30.subject_counts(wl.estimate_ngrams(text, order), nouns) for order in (2, 3, 5)}
print(", ".join("/".join(pair) for pair in nouns[:8]), "...")
print("between:", " | ".join(filter(None, nb_30.FILLERS)))
curves = {f"order {order}": dict(enumerate(changes)) for order, changes in sees.items()}

# %%
every = [
    f"The {noun} {filler} {verb}".split()
    for pair in nouns
    for noun, verb in zip(pair, ("has", "have"))
    for filler in nb_30.FILLERS
]
reads_all = {o: nb_30.subject_counts(wl.estimate_ngrams(every, o), nouns) for o in (2, 3, 5)}
ideal = {f"order {order}": dict(enumerate(changes)) for order, changes in reads_all.items()}

between, ratio = "words between subject and verb", "log of the ratio of ratios"
panels(
    Panel(curves, between, ratio, title="learned from the corpus"),
    Panel(ideal, between, ratio, title="has read all of these beginnings"),
)

# %% [markdown]
# On the right are models that have read each of these very beginnings with its verb. There one sees
# the window: a bigram model sees the subject right before the verb and no further, a trigram model
# past one word, a 5-gram model past three. That is a *theorem*: n - 1 words back, and what is
# further away cannot change anything, however much text a model reads.
#
# And on the left is what our corpus makes of it: with one word between, *all* are blind. That is no
# theorem, it is poverty. *exporters also* was never read, so the model backs off, and what it backs
# off to has no subject in it. A window of four words is wide in principle and narrow in fact.
#
# What do they do instead? Take the sentences of dev and test, exchange *has* and *have*, *is* and
# *are*, *was* and *were*, and ask the 5-gram model which of the two sentences is likelier:

# %%
five = wl.estimate_ngrams(text, 5)
agreeing = nb_30.agreement(five, [*corpus.dev, *corpus.test])
table(agreeing, places=2)

# %% [markdown]
# It takes the *singular* form, which is more frequent, whatever the subject is. Behind a plural
# subject it is mostly wrong, even right behind it. The last column says why: most of these pairs of
# words it has never read, and that *exporters* and *detectives* are both plural is nothing to a
# model for which words are mere names. One number for all verbs would look fine, since most
# are singular: always ask which half of a score is earned.
#
# In a tree, subject and verb are one arc apart, with anything between them. What a tree makes of
# it depends on its features; but it is *there* to be looked at.

# %% [markdown]
# ### Constraints
#
# Sometimes more is known than the words: what belongs to what, from a database or from another
# language. Transition systems take it as *given heads* (notebook 21). An n-gram model has no place
# to put it:

# %%
try:
    model.order("bought>0 Lotus>1 IBM>1")
except ValueError as error:
    print(error)

# %%
heads = {
    "trees alone": wl.evaluate(syntax, test, beam=64, lm_weight=0, deps=1),
    both: wl.evaluate(syntax, test, beam=64, lm_weight=weight, deps=1),
}
rows = [
    {
        "system": name,
        "BLEU": evaluation.scores.bleu_cased,
        "BLEU, heads given": heads[name].scores.bleu_cased if name in heads else None,
    }
    for name, evaluation in systems.items()
]
table(rows, places=1)

# %% [markdown]
# With the heads given, trees are in another league, and in an n-gram model there is no place where
# one could say them. (Orders are another matter: *this before that* it can keep, since it decides
# from left to right what comes next.)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(change == 0 for order in sees for change in sees[order][order - 1 :]), "the theorem"
for order, changes in reads_all.items():
    assert all(change > 0 for change in changes[: order - 1]) and not any(changes[order - 1 :])
assert heads["trees alone"].scores.bleu_cased > systems["trees alone"].scores.bleu_cased + 10
assert heads["trees alone"].scores.bleu_cased > systems["5-grams alone"].scores.bleu_cased
if CORPUS in ("gazette", "ptb-sample"):
    assert all(changes[0] > 0.3 for changes in sees.values()), "all see the subject"
    assert not any(sees[3][1:]) and not any(sees[5][1:]), "and are blind long before they have to"
if CORPUS == "gazette":
    near, far = agreeing[0], agreeing[-1]
    assert near["plural: right"] < 0.5 and far["plural: right"] < 0.3, "mostly wrong"
    assert near["plural: pair was read"] < 0.5 and far["plural: pair was read"] < 0.5
    assert min(near["singular: right"], far["singular: right"]) > 0.8
    assert near["singular: verbs"] > 2 * near["plural: verbs"], "most verbs are singular"

# %% [markdown]
# ## 8 · Both together
#
# Zhang, Blackwood and Clark (2012) put n-grams into a syntactic search, and so does `liu-2015`
# here, with `lm_order=5`. Every SHIFT says which word comes next, so that is where the language
# model speaks: the score of a SHIFT is that of its features, plus a weight times
#
#     log p(word | the words shifted before) - log p(word | nothing)
#
# Does the second term look familiar? It is the future cost. In one beam there are states that have
# shifted many words and states that have shifted few, and each word costs: what it would cost
# anyhow is taken off. (The weight is chosen after the training: see section 6.)
#
# What does it come to? Sentences that neither gets right, and both together do:

# %%
alone_wrong = zip(
    *(evaluation.outputs for evaluation in systems.values()), systems[both].references
)
only_both = [row for row in alone_wrong if row[2] == row[3] not in row[:2]]
print(f"{len(only_both)} of {len(test)} sentences are right with both, and with neither alone")
table([row[:3] for row in sorted(only_both, key=lambda row: len(row[3]))[:5]], list(systems))

# %% [markdown]
# Read a few, the 5-grams' first. Which words stand beside each other as one would expect, and what
# is wrong with the whole? Then the trees': which words has a tree put where nobody would say them?
#
# And here is one of them with both, in the transition player:

# %%
chosen = next((s for s in test if only_both and s.text == only_both[0][3]), test[0])
joint = wl.EventLog()
syntax.order(wl.bag_of(chosen, pos=0), beam=8, lm_weight=weight, trace=joint)
wl.play(joint)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(row[2] == row[3] and row[3] not in row[:2] for row in only_both)
assert CORPUS != "gazette" or len(only_both) >= 10
assert weights[0] == 0 and on_dev[weight] >= on_dev[0]

# %% [markdown]
# ## 9 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is shown where it goes
# wrong, and gets a hint; `check.hint("30.1")` asks for one, `check.solution("30.1")` opens when the
# hints are used up. A `text` is a list of sentences, each a list of words.
#
# **30.1 Write the bigram.** (6 minutes) The probability of `word` after `before`, by counting.
# `before` may be `"<s>"`, `word` may be `"</s>"`. Where `before` never stands before anything,
# return 0.


# %%
def share(word, before, text):
    return ...


check("30.1", share)


# %% [markdown]
# **30.2 Write the company of a word** (6 minutes) : how many different words stand right before it
# in the text, `"<s>"` among them.


# %%
def company_size(word, text):
    return ...


check("30.2", company_size)


# %% [markdown]
# **30.3 Write Kneser and Ney's bigram** (6 minutes) , interpolated, with one discount `d`:
#
#     max(c(before word) - d, 0) / c(before)  +  d · followers(before) / c(before) · low(word)
#     low(word) = company(word) / number of different pairs in the text
#
# `followers` counts *different* words. Where `before` is not in the text, it is `low(word)`.


# %%
def probability(word, before, text, d):
    return ...


check("30.3", probability)

# %% [markdown]
# **30.4 Two beams.** (3 minutes) The bag has *the*, *of*, *closed* and *harbour*. These five
# hypotheses have two words each. Which two does a beam of 2 keep by scores alone, and which two
# with future cost? Hand in two sets of names, as in `({"A", "B"}, {"A", "B"})`.

# %%
table(nb_30.HYPOTHESES, places=1)

# %%
check("30.4", (..., ...))


# %% [markdown]
# **30.5 Write when two hypotheses may be recombined.** (6 minutes) `one` and `two` are beginnings,
# lists of equally many words out of one bag; the n-gram model has the given `order`. (For the beam
# this was decided by what the model *knows*: words that it would back off from anyway need not
# agree. Here the last `order - 1` words are enough.)


# %%
def same_future(one, two, order):
    return ...


check("30.5", same_future)


# %% [markdown]
# **30.6 Write the search that misses nothing** (6 minutes) , for a bigram model and words that are
# all different. `log_prob(before, word)` is log p(word | before); begin with `"<s>"`, end with
# `"</s>"`, and return the best order as a list. It has to do nine words, and may ask `log_prob`
# 100,000 times. To go through all orders would take 3.6 million. (`itertools.combinations` helps.)


# %%
def best_order(words, log_prob):
    return ...


check("30.6", best_order)

# %% [markdown]
# **30.7 How far does one have to see?** (3 minutes) For each sentence the smallest order of an
# n-gram model that has the subject in view where the verb stands.

# %%
table(nb_30.FAR)

# %%
check("30.7", [..., ..., ..., ..., ...])

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"30.{i}", ...).right is None for i in range(1, 8))

# %% [markdown]
# ## Where to read on
#
# - Papers: [Schmaltz, Rush and Shieber 2016](https://aclanthology.org/D16-1255/),
#   [Zhang, Blackwood and Clark 2012](https://aclanthology.org/E12-1075/); on smoothing
#   [Chen and Goodman 1999](https://doi.org/10.1006/csla.1999.0128).
# - Code: `wordorder_lab/models/kneser_ney.py` (smoothing), `wordorder_lab/ngram_beam/beam.py` and
#   `wordorder_lab/ngram_beam/held_karp.py` (the two searches),
#   `wordorder_lab/transition/language_model.py` (both together).
# - Without Python: `wordorder-lab train ngram-beam --order 5 --text FILE`, and
#   `wordorder-lab order --exact`.
# - [The glossary](glossary.md); next: [Span lengths](32_span_lengths.ipynb) and
#   [Exploring errors](33_exploring_errors.ipynb).
