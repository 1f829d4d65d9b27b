# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Supertagging and categories
#
# **90 minutes**, or two lessons: sections 1 and 2 (where categories come from), 3 to 6 (how many a
# word may have, and what that does to a search). You need:
# [Corpora and grammars](01_corpora_and_grammars.ipynb), sections 4 to 7, for categories and rules,
# and [Best-first search with categories](10_best_first_ccg.ipynb), sections 1 to 3.
#
# [Glossary](glossary.md) · [Solutions](solutions/13_supertagging_and_categories.py) · papers:
# [Hockenmaier and Steedman 2007](https://aclanthology.org/J07-3004/),
# [Clark and Curran 2007](https://aclanthology.org/J07-4004/),
# [Zhang and Clark 2011](https://aclanthology.org/D11-1106/), section 6.1
#
# After this notebook you can
#
# - turn a Penn tree into a CCG derivation on paper, and say what each step is for;
# - say what a supertagger knows that a dictionary does not, and what the cut **β** (beta) does;
# - compute the probabilities of categories over two words, forward and backward;
# - predict what fewer categories do to a search, and look where they do harm;
# - say why a word orderer with a supertagger no longer orders a bag of words.

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_01, nb_13, recorded, trained
from wordorder_lab.plots import counts_by_name, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
if not any(sentence.derivation for sentence in corpus.split(corpus.splits[1])):
    print(f"{CORPUS} has no CCG derivations; everything below is the Gazette's.")
    corpus = nb_01.gazette()
nb_13.conversion_steps(nb_13.EDITOR, first=5)

# %% [markdown]
# ## 1 · From a Penn tree to a derivation
#
# CCGbank was not drawn by hand. Hockenmaier and Steedman made it from the trees of the Penn
# Treebank, by rules; and so do we, from the trees that are free. The picture above has six stops:
# click, or take the arrow keys. It shows a sentence of our own. Go back to the first stop, and then
# on, slowly.
#
# 1. **Penn.** The tree as an annotator drew it. `NP-SBJ` is a noun phrase that is the subject
#    (**function tags** stand behind the hyphen: `TMP` is a time). `*T*-1` is a **trace**: nothing
#    is said there, and `WHNP-1`, *that*, is what is missed.
# 2. **Preprocessed.** Traces of arguments stay, other empty elements go. Each verb has a feature:
#    `[dcl]` says something, `[b]` is bare, `[to]`, `[ng]`, `[pss]` and `[pt]` are *to leave*,
#    *leaving*, *(was) left*, *(has) left*.
# 3. **Constituent types.** In each phrase one **head**, which decides what the phrase is;
#    **complements**, which the head asks for; **adjuncts**, which may as well stay away. *Ada* and
#    the trace are complements of *admires*. *yesterday* is an adjunct, because the tag says `TMP`.
# 4. **Binarised.** Two children at most. What stands behind the head joins it first, the nearest
#    first, and the subject comes last.
# 5. **Categories**, from the root down. The root is `S[dcl]`. A complement has
#    the category of its label (`NP`, `PP`, `S[to]\NP`), and its head becomes something that takes
#    it: `X/NP`. An adjunct is `X/X` or `X\X`: it takes its neighbour and changes nothing.
# 6. **The derivation**, the same tree as linguists draw it: words on top, a line for every step.
#
# And the trace? The verb *admires* asks for an object, `(S[dcl]\NP)/NP`, and finds none. So the
# object is passed up: *Ada*, raised (`>T`), is composed with the verb (`>B`), and *Ada admires* is
# `S[dcl]/NP`, a sentence that lacks an object. *that* takes just such a thing, and makes a modifier
# of *editor*: `(NP\NP)/(S[dcl]/NP)`. A trace has become a slash. The signs at the right end of the
# lines are in notebook 01; `tc` changes a type (a noun becomes a noun phrase), `p` takes a mark.
#
# The same of a real sentence, the first of the Treebank, if the sample of it is on this machine:

# %%
newspaper = nb_13.newspaper_tree()
if newspaper is None:
    print("wordorder-lab corpora ccg --show wsj_0001:1  shows it where the sample is")
nb_13.conversion_steps(newspaper or nb_13.GAVE, first=2)

# %% [markdown]
# `wordorder-lab corpora ccg --show wsj_0001:1` prints the same for this tree or any other, and
# `--report` counts how many trees become derivations, and why the others do not.
#
# ### Two projects, two derivations
#
# Does the tree decide everything? CCGrebank is CCGbank with what other projects have annotated in
# the same text (Honnibal, Curran and Bos 2010). In the first two sentences of the Treebank ours
# differs from it in three things, and each has its reason:
#
# - *join … as a nonexecutive director*. The tree calls the phrase `PP-CLR`, "closely related". So
#   it is a complement here, as in CCGbank: *join* is `((S[b]\NP)/PP)/NP` and *as* is `PP/NP`.
#   CCGrebank has looked into PropBank, where *join* has no such argument: an adjunct, and *as* is
#   `((S\NP)\(S\NP))/NP`.
# - *chairman of Elsevier N.V.* In a Penn tree an argument of a noun looks like any other PP beside
#   an NP. So *of* is an adjunct here, `(NP\NP)/NP`, and *chairman* a plain `N`. NomBank says that a
#   chairman is always a chairman *of* something: `N/PP` in CCGrebank, and *of* only marks it,
#   `PP/NP`.
# - *the*, *a* are `NP[nb]/N` here and `NP/N` there. CCGbank marks the noun phrases that have a
#   determiner; CCGrebank has dropped the feature. Nothing else depends on it.
#
# So a derivation that differs need not be wrong. Two ask for knowledge that is not in the tree, one
# is spelling. Where both can be had, `wordorder-lab corpora ccg --compare` lists every word and
# every step that differ.

# %% jupyter={"source_hidden": true} tags=["hidden"]
editor = nb_13.derivation_of(nb_13.EDITOR)
categories_of = {leaf.word: str(leaf.category) for leaf in editor.leaves()}
assert categories_of["that"] == r"(NP\NP)/(S[dcl]/NP)" and editor.problem() is None
assert categories_of["admires"] == r"(S[dcl]\NP)/NP"
assert {node.sign for node in editor.nodes()} >= {">", "<", ">B", ">T", "tc", "p"}
if newspaper is not None:
    leaves = nb_13.derivation_of(newspaper).leaves()
    categories_of = {leaf.word: str(leaf.category) for leaf in leaves}
    assert categories_of["join"] == r"((S[b]\NP)/PP)/NP" and categories_of["as"] == "PP/NP"
    assert categories_of["the"] == "NP[nb]/N"

# %% [markdown]
# ## 2 · How many categories may a word have?
#
# Now turn it round. Somebody gives you a word, and you want its category. A **dictionary** looks
# it up: what it was seen with in training, or, if it was seen seldom, what words with its tag were
# seen with. A **supertagger** looks at the sentence: the word, its tag, two words to either side
# with their tags, and the two categories before. It gives each category a probability. Almost
# parsing, it has been called, as there is little left to do when all categories are known.
#
# Ours is log-linear, as Clark and Curran's is: each thing that it sees (a **feature**) has a weight
# for each category; the weights are added up, and the sum, put through exp and divided by what all
# categories have, is a probability. Weights are learned so that the gold categories of the training
# sentences become as probable as they can.

# %%
SHORT = 10
some = [s for s in corpus.split(corpus.splits[0]) if len(s) <= SHORT and s.derivation][:400]
dev = [s for s in corpus.split(corpus.splits[1]) if 6 <= len(s) <= SHORT and s.derivation][:100]
tagger = trained(some, "supertagger", max_iterations=30)

looked_up = [len(own) for s in dev for own in nb_13.of_dictionary(tagger, s)]
counted = {"dictionary": nb_13.histogram(looked_up)}
for beta in (0.0001, 0.075):
    left = [len(own) for s in dev for own in tagger.tag(s, beta=beta)]
    counted[f"supertagger, β = {beta:g}"] = nb_13.histogram(left)
names = {name: f"{name} categories" for name in nb_13.STEPS}
counts_by_name(counted, names, x="words in dev")

# %% [markdown]
# The scale is logarithmic. Words that the dictionary gives a dozen categories are verbs, mostly,
# and words that nobody has seen: these have whatever was seen with their tag. The supertagger has
# less to say of nearly every word, since it has seen the neighbours.
#
# How does one make a list out of probabilities? Keep the best category, and every other one that
# has at least **β times its probability**. With β = 1 only the best stays, with β = 0 all do. The
# cut is relative: where the tagger is sure, one category is left, where it hesitates, several.
# Clark and Curran's parser begins with 0.075. Move β, and see what goes:

# %%
BETAS = (0.0001, 0.001, 0.01, 0.075)
sentence = max(dev, key=lambda one: sum(map(len, tagger.tag(one, beta=0.01))))
nb_13.cut_by_beta(tagger, sentence, BETAS)

# %% [markdown]
# It is the sentence of dev in which the tagger hesitates most. And what does the cut cost? If the
# right category of a word is cut, no search will ever find the gold derivation.

# %%
rows = []
for beta in (*BETAS, 1):
    tagged = [pair for s in dev for pair in zip(s.derivation.leaves(), tagger.tag(s, beta=beta))]
    kept = sum(leaf.category in [category for category, _ in own] for leaf, own in tagged)
    rows.append((beta, sum(len(own) for _, own in tagged) / len(tagged), kept / len(tagged)))
places = {"β": "{:g}", "right one kept": "{:.1%}"}
table(rows, ["β", "categories a word", "right one kept"], places)

# %% [markdown]
# The last line is the accuracy of the tagger by itself: only its best category is left. Where do
# the probabilities come from, with two categories of *history* before each word, of which nobody
# knows whether they are right? All sequences of categories are summed over. A **forward** sum has
# all ways that lead to a word's category, a **backward** sum all that lead on from it; their
# product, over the sum of all, is its probability. Exercise 13.3 does it for two words.

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert [own for _, own, _ in rows] == sorted((own for _, own, _ in rows), reverse=True)
assert [share for *_, share in rows] == sorted((share for *_, share in rows), reverse=True)
assert rows[-1][1] == 1 and sum(looked_up) / len(looked_up) > rows[0][1]
for by_number in counted.values():
    assert sum(by_number.values()) == len(looked_up)
for own in tagger.tag(sentence, beta=0):
    assert abs(sum(chance for _, chance in own) - 1) < 1e-9

# %% [markdown]
# ## 3 · What β does to a search
#
# A small model of the system of 2011 has learned from the same sentences, with the categories of
# the dictionary. Each word of a bag is a leaf for every category that it has, so categories are
# what a search begins with. Here are twenty-four short sentences that it has not read, five times:
# as the dictionary has their words, and as the tagger has them, at four values of β.

# %%
model = trained(some, "zhang-clark-2011", epochs=3, beam=32, expansions=300).with_tagger(tagger)
measured = nb_13.measured(model, dev[:24], BETAS, expansions=400)
nb_13.by_beta(measured)

# %% [markdown]
# Go from stop to stop. The dotted line shows where you are; to the left there are fewer categories.
#
# - **Edges and expansions.** Fewer leaves, fewer edges, and a goal is popped sooner. An expansion
#   is one popped edge with all that is made of it: so this is the time that is saved, counted on a
#   clock that is the same on every machine. Where the limit of 400 would have struck first, a whole
#   sentence is won.
# - **Right categories** rise. No wonder, they have been chosen by somebody who has seen the
#   sentence.
# - **BLEU** rises, too, and less steadily. With so few sentences three points mean nothing.
# - **Too much of it** does harm: where the right category is cut, the right derivation is out of
#   reach, and sometimes every other one is. Compare the share of whole sentences at the last two
#   stops with the last column of the table in section 2.
#
# One sentence at two values of β, on one clock. Click on a leaf: beside its category stands its
# probability, `p`. Which leaves of the left chart are missing on the right? And how long does
# either search take to its goal?

# %%
both = []
for beta in (BETAS[0], BETAS[-1]):
    log = wl.EventLog()
    bag = nb_13.bag_with_chances(sentence, tagger, beta)
    both.append((model.order(bag, expansions=400, trace=log), log))
names = tuple(f"β = {beta:g}" for beta in (BETAS[0], BETAS[-1]))
wl.play(both[0][1], both[1][1], view="chart", names=names)

# %%
table(
    {"": name, "output": end.text, **{what: end.counters[what] for what in ("edges", "expansions")}}
    for name, (end, _) in zip(names, both)
)

# %% jupyter={"source_hidden": true} tags=["hidden"]
edges = [row["edges"] for row in measured.values()]
assert edges[-1] < edges[0]
assert measured["β = 0.075"]["right"] > measured["dictionary"]["right"]
assert all(0 < row["bleu"] <= 100 for row in measured.values())
leaves = [sum(event[0] == "leaf" for event in log) for _, log in both]
assert leaves[0] > leaves[1] >= len(sentence)
assert all(event[0] != "supertags" or len(event) > 1 for _, log in both for event in log)

# %% [markdown]
# ## 4 · On newspaper text
#
# Two dozen short sentences prove nothing. Zhang and Clark (2011) let searches of
# the Treebank run for 0.5 to 50 seconds (Tables 2 and 3). With five seconds:
#
# | | categories a word | BLEU | right categories | searches that ran out of time |
# | --- | --- | --- | --- | --- |
# | dictionary | 26.8 | 36.27 | 58.5 % | 45.8 % |
# | β = 0.0001 | 5.4 | 38.75 | 59.7 % | 43.2 % |
# | β = 0.075 | 1.3 | 43.99 | 77.0 % | 40.3 % |
#
# Our run of the same on the free part of the Treebank, with derivations made as in section 1. Its
# limits are expansions, which are the same on every machine, and seconds:

# %%
RECORD = "zhang-clark-2011-tables-2-3-ptb"
print(recorded(RECORD))

# %%
table(wl.claims_table(RECORD))

# %% [markdown]
# ("Not judged yet" means that there is no such record; the command in the line above makes it.)
#
# ## 5 · Is this still a bag of words?
#
# **No.** The supertagger has read the sentence *in its true order*, before it was scrambled. Look
# at its features: two words to the left, two to the right. The category that it gives to *saw*
# says whether a noun phrase followed, and this is just what a word orderer is to find out. So part
# of the answer is in the question, and the smaller the list, the more of it.
#
# That does not make the experiment worthless. It shows what the search would gain if somebody told
# it the categories, by whatever means: a generator, for instance, that starts from meanings and
# has chosen the words with their roles. But a number with β in its row is not to be set beside one
# without. In this lab every table says so; `order --categories` reads the words as they are typed,
# and says so; and in Python `model.order` refuses β for a bag, which has no true order to read: you
# put the categories into the bag yourself:

# %%
told = wl.WordBag(
    ["I", "saw", "her", "duck"],
    ["PRP", "VBD", "PRP$", "NN"],
    categories=list(nb_13.CHANCES.values()),
)
chances = [" · ".join(f"{name} {p:g}" for name, p in own.items()) for own in told.chances]
table(zip(map(" ".join, told.words), chances), ["word", "categories, each with its probability"])

# %% [markdown]
# How much does the order matter to the tagger? The sentences of dev again, each backwards, every
# word with its own tag. Share of the words whose best category is the right one:

# %%
right = {"as it stands": 0, "backwards": 0}
for one in dev:
    words, tags = [token.words for token in one], [token.pos for token in one]
    gold = [leaf.category for leaf in one.derivation.leaves()]
    there = tagger.tag(words, tags, beta=1)
    back = tagger.tag(words[::-1], tags[::-1], beta=1)[::-1]
    for name, tagged in zip(right, (there, back)):
        right[name] += sum(own[0][0] == category for own, category in zip(tagged, gold))
words_in_all = sum(map(len, dev))
table(
    [(name, count / words_in_all) for name, count in right.items()],
    ["read", "right"],
    {"right": "{:.1%}"},
)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert right["as it stands"] > right["backwards"], "it lives by the order"
assert told.has_choices and len(told.categories[1]) == 3

# %% [markdown]
# ## 6 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is told what is wrong
# with it, and gets a hint; `check.hint("13.1")` asks for one, `check.solution("13.1")` opens when
# the hints are used up. The answers are compared with what the engines really do.
#
# **13.1 By hand.** (3 minutes) Here is a tree. Go through the steps of section 1 on paper. Which
# categories have *gave*, *the*, *letter* and *yesterday*?

# %%
nb_13.GAVE

# %%
four_categories = [..., ..., ..., ...]
check("13.1", four_categories)


# %% [markdown]
# **13.2 The cut.** (6 minutes) `probabilities` is the list of a word's probabilities, in any order.
# Return the places, from 0, of those that stay.


# %%
def kept(probabilities, beta):
    return ...


check("13.2", kept)

# %% [markdown]
# **13.3 Forward and backward.** (3 minutes) The end of *I saw her duck*, and a tagger that looks
# back one word only. *her* has two candidates, and so has *duck*. The rows do not add up to 1:
# other categories have the rest, but they are no candidates. How probable is each of the four, when
# both words are known? (In this order: *her* as `NP[nb]/N`, as `NP`; *duck* as `N`, as `S[b]\NP`.
# Two places behind the point are enough.)

# %%
table(nb_13.lattice())

# %%
four_probabilities = [..., ..., ..., ...]
check("13.3", four_probabilities)

# %% [markdown]
# **13.4 What goes?** (3 minutes) *I saw her duck*: did she bend down, or was it her bird? The
# tagger of this exercise hesitates; its probabilities are in the table of section 5. Here is
# everything that a search can make of the bag with all these categories. Now β becomes 0.15. Which
# edges are not made any more? Give their numbers, and look at the player afterwards.

# %%
table(nb_13.edges_shown(0.0))

# %%
edges_that_go = [...]
check("13.4", edges_that_go)

# %%
before, after = (nb_13.searched(beta)[1] for beta in (0.0, nb_13.CUT))
wl.play(before, view="chart", title="I saw her duck, without a cut")


# %% [markdown]
# **13.5 Complement or adjunct?** (6 minutes) Write the rule of step 3 for what stands behind a
# verb. `label` is `"NP"`, `"PP"`, `"ADVP"`, `"ADJP"`, `"S"` or `"SBAR"`; `tag` is a function tag or
# `""`: `"TMP"`, `"LOC"`, `"PRP"` (purpose), `"MNR"` (manner), `"PRD"` (predicate), `"DTV"`
# (dative), `"CLR"` (closely related). Return `"complement"` or `"adjunct"`.


# %%
def role(label, tag):
    return ...


check("13.5", role)

# %% [markdown]
# **13.6 Count derivations.** (3 minutes) Both searches of 13.4 on one clock. How many derivations
# of all four words has either? And what is the largest β with which the reading is still there in
# which she bends down? Give three numbers.

# %%
wl.play(before, after, view="chart", names=nb_13.BOTH, title="I saw her duck")

# %%
three_numbers = [..., ..., ...]
check("13.6", three_numbers)

# %% jupyter={"source_hidden": true} tags=["hidden"]
unsolved = {"13.1": four_categories, "13.2": lambda *_: ..., "13.3": four_probabilities}
unsolved |= {"13.4": edges_that_go, "13.5": lambda *_: ..., "13.6": three_numbers}
assert all(check(number, answer).right is None for number, answer in unsolved.items())
assert before.events[0][0] == "supertags" or before.events[1][0] == "supertags"
assert len(nb_13.edges_shown(0.0)) == 24

# %% [markdown]
# ## Where to read on
#
# - Papers: [Hockenmaier and Steedman 2007](https://aclanthology.org/J07-3004/) for the way from
#   trees to derivations; [Clark and Curran 2007](https://aclanthology.org/J07-4004/) for the
#   supertagger and the cut; [Zhang and Clark 2011](https://aclanthology.org/D11-1106/), section
#   6.1, for what became of it in word ordering.
# - Code: `wordorder_lab/corpora/penn_to_ccg/convert.py` (the steps in order),
#   `wordorder_lab/corpora/penn_to_ccg/constituent_types.py` (heads, complements, adjuncts),
#   `wordorder_lab/supertagging/forward_backward.py` (sums and cut, readable),
#   `wordorder_lab/systems/category_sources.py` (how categories come into a bag).
# - Next: [Guided learning](11_guided_learning.ipynb), where the weights of the search come from.
#   And [the glossary](glossary.md).
