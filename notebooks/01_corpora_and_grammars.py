# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Corpora and grammars
#
# **60 minutes.** You need: [Start here](00_start_here.ipynb), and to know a noun from a verb.
#
# [Glossary](glossary.md) · [Solutions](solutions/01_corpora_and_grammars.py) · papers:
# [Zhang and Clark 2011](https://aclanthology.org/D11-1106/), sections 2 and 6, and
# [Hockenmaier and Steedman 2007](https://aclanthology.org/J07-3004/) on CCGbank
#
# A system that orders words learns from sentences that somebody has taken apart. There are several
# ways to take a sentence apart, each with a file format of its own, and the systems here need
# different ones. This notebook is about what they see.
#
# After this notebook you can
#
# - read the three formats `.mrg`, `.conllu` and `.auto`, and say what each of them knows;
# - find the base noun phrases of a sentence, and say where two treebanks disagree on them;
# - read CCG categories: what is looked for, on which side, and what features do;
# - name the rule of every step of a derivation;
# - say what a grammar is that was read off derivations, and what it can never build.

# %%
from collections import Counter

import wordorder_lab as wl
from wordorder_lab.check import check, nb_01
from wordorder_lab.plots import Panel, bars, panels, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
corpus.split(corpus.splits[0])[0].tree

# %% [markdown]
# A sentence is a row of words to whoever reads it; to whoever wants to order words it is this: who
# hangs from whom. An arrow points from a **head** to a word that depends on it. This notebook is
# about where such pictures come from, and about another kind, with categories.
#
# ## 1 · One sentence, three files
#
# The Gazette is a newspaper that does not exist. Each of its sentences comes in three formats; here
# is one of them. Do not read it all; look at what kind of thing it is.

# %%
NUMBER = 38  # of the sentence in the dev files, counted from 1
mrg, conllu, auto = nb_01.gazette_sentence("dev", NUMBER)
print(f"dev.mrg\n\n{mrg}\n\n\ndev.conllu\n\n{conllu}\n\n\ndev.auto\n\n{auto}")

# %% [markdown]
# | format | from | a sentence is | it knows |
# | --- | --- | --- | --- |
# | `.mrg` | Penn Treebank | brackets inside brackets | phrases and their kinds: NP, VP, SBAR |
# | `.conllu` | CoNLL, for dependencies | a line a word, ten columns | which word hangs from which |
# | `.auto` | CCGbank | brackets with categories | phrases, and how each follows from its parts |
#
# You need not read them by eye. `wl.parse_tree`, `wl.parse_auto` and `wl.load_corpus` do, and they
# complain about a broken file with its name and the line. Cut a derivation in half and see:

# %%
try:
    wl.parse_auto(auto[: len(auto) // 2], "dev.auto")
except ValueError as error:
    print(error)

# %% jupyter={"source_hidden": true} tags=["hidden"]
(one,) = wl.parse_auto(auto, "dev.auto")
assert one.name == f"dev-{NUMBER}"
assert " ".join(one.derivation.words()).startswith("The injunction that")

# %% [markdown]
# ## 2 · Trees and base noun phrases
#
# The brackets of `.mrg`, drawn:

# %%
tree = wl.parse_tree(mrg, "dev.mrg")
tree.pretty_print()

# %% [markdown]
# An **NP** is a noun phrase. NPs hold other NPs: *the injunction* is one, *the injunction that the
# federal tribunal issued* is one, too. A **base NP** is an NP without another NP inside. The papers
# do not ask a system to put *the*, *federal* and *tribunal* in order. They keep base NPs whole, and
# what is ordered are these units:

# %%
of_tree = nb_01.units_of(mrg)
of_tree

# %% [markdown]
# The Penn Treebank also writes down what is *not* there. In *plans to leave*, somebody is to leave,
# and an empty NP stands in that place, a **trace**. Traces are dropped, but only after the base NPs
# have been found: an empty NP is an NP, too. So *plans to leave* is no base NP, though no other NP
# can be seen in it:

# %%
TO_LEAVE = "(NP (NNS plans) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave)))))"
in_order, too_late = nb_01.units_of(TO_LEAVE), nb_01.units_of(TO_LEAVE, traces_first=True)
print(f"base NPs first: {in_order}; traces dropped first: {too_late}")

# %% [markdown]
# Fewer units make an easier puzzle, and much better scores (by 23 BLEU on the Penn sample; a random
# order gains 26). How much smaller is it in this corpus?

# %%
seen = corpus.split(corpus.splits[0])  # most corpora: train
unseen = corpus.split(corpus.splits[1])  # most corpora: dev
rows = []
for name in corpus.splits:
    part = corpus.split(name)
    units, all_words = sum(map(len, part)), sum(len(s.surface) for s in part)
    rows.append({"split": name, "sentences": len(part), "units": units, "words": all_words})
    rows[-1] |= {"units a sentence": units / len(part), "words a sentence": all_words / len(part)}
table(rows)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert sum(" " in unit for unit in of_tree) == 2
assert in_order == ["plans", "to", "leave"] and too_late == ["plans to leave"]
assert all(row["units"] <= row["words"] for row in rows)

# %% [markdown]
# ## 3 · Heads and dependencies
#
# In every phrase one child is the **head**: the verb of a VP, the noun of an NP. A table of head
# rules says which one (`wordorder_lab/structures/head_rules.py`). Let the other children hang from
# it, and the tree becomes a **dependency tree**: no phrases, only words and arcs. This is all that
# a transition system or `zhang-clark-2015-dependency` ever sees of the brackets.

# %%
sentence = nb_01.gazette().dev[NUMBER - 1]  # the same sentence, as a system gets it
sentence.tree

# %% [markdown]
# CoNLL-U files have dependencies from the start (column 7 is the head) and no phrases. The format
# has no place for base NPs; the Gazette keeps them in the last column (`BaseNP=B` begins one), and
# our reader does not look there. So the units of a corpus in this format are words.
#
# Nor are the arcs the same everywhere. Most corpora in this format are of Universal Dependencies.
# In *has seen*, these make *seen* the head, the head rules for Penn's trees *has*. The Gazette's
# file has the arcs of Penn's rules, with their labels (`NMOD`, `SUB`, `VMOD`).
#
# ## 4 · Categories
#
# **Combinatory Categorial Grammar** (CCG) has hardly any rules of grammar. What a word can do is
# written on the word: its **category**.
#
# | category | is | needs |
# | --- | --- | --- |
# | `N`, `NP`, `S[dcl]` | a noun, a noun phrase, a declarative sentence | nothing |
# | `S[dcl]\NP` | *slept*: a verb phrase | an NP on its left, then it is a sentence |
# | `(S[dcl]\NP)/NP` | *bought* | an NP on its right, then it is like *slept* |
# | `NP[nb]/N` | *the* | a noun on its right |
# | `N/N` | *federal* | a noun on its right, and both are a noun again |
# | `(S\NP)\(S\NP)` | *quickly* | a verb phrase on its left, and both are one again |
#
# Read it from the outside. The result always stands left of the slash, the argument right of it;
# the slash says where the argument is looked for: `/` on the right, `\` on the left.

# %%
bought = wl.Category.parse(r"(S[dcl]\NP)/NP")
print(f"{bought} wants {bought.argument} on the side of {bought.slash} and is {bought.result} then")
print(f"{bought.result} wants {bought.result.argument} on the side of {bought.result.slash}")
try:
    wl.Category.parse(r"(S[dcl]\NP/NP")
except ValueError as error:
    print(error)

# %% [markdown]
# `[dcl]` is a **feature**. It tells a declarative sentence from a question, `S[q]`, or *buys* from
# *buy*, `S[b]\NP`, *bought* in *was bought*, `S[pss]\NP`, and *buying*, `S[ng]\NP`. An S without a
# feature is a variable: it goes with any of them, and takes its feature along. Two categories that
# can be made equal **unify**. What do the variables of each side become?

# %%
pairs = [
    ("S", "S[dcl]"),
    (r"S\NP", r"S[ng]\NP"),
    (r"(S\NP)\(S\NP)", r"(S[b]\NP)\(S[b]\NP)"),
    (r"S[dcl]\NP", r"S[ng]\NP"),
    ("NP", "NP[nb]"),
    ("N", "NP"),
]
rows = []
for one, other in pairs:
    features = wl.unify(wl.Category.parse(one), wl.Category.parse(other))
    said = "no" if features is None else "yes" + "".join(f", S is {f['S']}" for f in features if f)
    rows.append({"one": one, "the other": other, "do they unify?": said})
table(rows)

# %% [markdown]
# (NP has no variable. `NP[nb]`, *not bare*, is an NP that has its determiner.)
#
# ## 5 · A handful of rules
#
# If the categories say so much, what is left for the rules? To put two neighbours together. X, Y
# and Z stand for any category:
#
# | sign | name | rule | for example |
# | --- | --- | --- | --- |
# | `>` | forward application (fa) | X/Y Y → X | *bought* + *Lotus* |
# | `<` | backward application (ba) | Y X\Y → X | *IBM* + *slept* |
# | `>B` | forward composition (fc) | X/Y Y/Z → X/Z | *may* + *buy*, of what is not said yet |
# | `<B` | backward composition (bc) | Y\Z X\Y → X\Z | |
# | `<B×` | backward crossed composition (bx) | Y/Z X\Y → X/Z | *bought* + *quickly*, what? |
# | `>T` `<T` | type-raising (tr) | X → T/(T\X) | a subject that waits for its verb |
# | `Φ` | coordination (conj) | conj X → X[conj], then X X[conj] → X | *and* |
# | `p` | punctuation (lp, rp) | , X → X and X . → X | |
# | `tc` | type-changing | a listed category becomes another one | a bare noun: N → NP |
# | `?` | other | none of these | a slip, or a habit of one treebank |
#
# What do two categories give, side by side?

# %%
rows = []
for one, other in [
    (r"(S[dcl]\NP)/NP", "NP"),
    ("NP", r"S[dcl]\NP"),
    ("NP", "NP"),
    (r"S/(S\NP)", r"(S[dcl]\NP)/NP"),
    (r"(S[dcl]\NP)/NP", r"(S\NP)\(S\NP)"),
    ("conj", r"S[dcl]\NP"),
]:
    made = wl.combine(wl.Category.parse(one), wl.Category.parse(other))
    together = f"{made[0]}   by {wl.SIGNS[made[1]]} ({made[1]})" if made else "nothing"
    rows.append({"left": one, "right": other, "together": together})
table(rows)

# %% [markdown]
# A **derivation** goes step by step from the words to one category. Linguists draw it with the
# words on top and a line for every step, with the sign of the rule at its end. The first one of
# *IBM bought Lotus* needs application alone:

# %%
NOUN, NP, RAISED = map(wl.Category.parse, ("N", "NP", r"S/(S\NP)"))
ibm, lotus = (
    wl.Derivation.unary(NP, wl.Derivation.leaf(word, "NNP", NOUN)) for word in ("IBM", "Lotus")
)
verb = wl.Derivation.leaf("bought", "VBD", bought)


def step(one, other):
    """What two derivations give."""
    category, _ = wl.combine(one.category, other.category)
    return wl.Derivation.binary(category, one, other)


plain = step(ibm, step(verb, lotus))
plain

# %% [markdown]
# In the second one the subject is raised: instead of waiting for a verb phrase to take it, *IBM*
# now takes one itself. So it can be composed with the verb before there is an object. The same
# sentence, the same category: CCG often has many derivations for one reading. (As text, for a
# change: `print` works everywhere.)

# %%
raised = wl.Derivation.unary(RAISED, ibm)
second = step(step(raised, verb), lotus)
print(second)

# %% [markdown]
# What is that good for? For *Lotus, which IBM bought*: there, *IBM bought* has no object behind it,
# and yet it is a phrase, `S[dcl]/NP`, which is just what *which* asks for. A search that builds
# sentences from below can use that: any two words that combine are a piece with a category. Look
# for `>T` in the sentence of section 1:

# %%
derivation = wl.parse_auto(auto, "dev.auto")[0].derivation
derivation

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert plain.category is second.category and str(plain.category) == "S[dcl]"
assert [node.rule for node in second.nodes() if node.children] == ["tc", "tr", "fc", "tc", "fa"]
assert [row["together"] for row in rows][2] == "nothing"
assert {"tr", "fc", "ba", "fa", "bx", "rp"} <= {node.rule for node in derivation.nodes()}
assert derivation.problem() is None and wl.unify(NOUN, NP) is None

# %% [markdown]
# A derivation also has heads: the *functor* of a step is the head, unless it is type-raised, a
# modifier such as `N/N`, or a determiner. Neither *and* nor a punctuation mark is ever a head: of
# two conjuncts the first one is. And a derivation has base NPs, of course: NPs that hold no other
# NP. Kept whole, each becomes a leaf with the category of the NP.
#
# By that, the base NP of *the refiner 's plans* is *the refiner*. But the Gazette keeps the units
# of its Penn trees in its derivations too, and there it is *the refiner 's*. So 44 of its units are
# tagged NP and are no NP to CCG: their category is `NP[nb]/N`, a determiner.

# %%
whole = nb_01.with_base_nps(derivation)
words = [leaf.word for leaf in whole.leaves()]
heads = ["-" if head < 0 else words[head] for head in whole.heads()]
table(
    {"unit": leaf.word, "category": str(leaf.category), "hangs from": head}
    for leaf, head in zip(whole.leaves(), heads)
)

# %% [markdown]
# These are the arcs of section 3. Are they always? Here are the arcs of all training sentences of
# the Gazette, by the tag of the dependent:

# %%
arcs = Counter(token.pos for sentence in nb_01.gazette().train for token in sentence)
other_head = Counter(
    token.pos
    for sentence in nb_01.gazette().train
    for token, head in zip(sentence, sentence.derivation.heads())
    if head != token.head
)
print(f"{other_head.total():,} of {arcs.total():,} arcs lead to another head in the derivation")
table(
    {"tag": tag, "arcs": arcs[tag], "to another head": count}
    for tag, count in other_head.most_common()
)

# %% [markdown]
# Mostly it is a punctuation mark. A Penn tree hangs a comma from the head of the clause around it;
# a derivation absorbs it as soon as it can, into whatever stands beside it. The rest is *could
# **allegedly** appeal* (an adverb of *could*, or of *appeal*?) and *and*. Who is right? Nobody: a
# head is a decision.
#
# ## 6 · A grammar that was read off
#
# Zhang and Clark do not use the rules of section 5 as such. Their grammar is a list: every step of
# every training derivation is an **instance** of a rule, such as `NP S[dcl]\NP => S[dcl]`, and two
# categories combine if and only if they were seen to. The name is for people.

# %%
if not any(sentence.derivation for sentence in seen):
    print(f"{CORPUS} has no CCG derivations; from here on it is the Gazette's.")
    seen, unseen = nb_01.gazette().train, nb_01.gazette().dev
learn = [sentence.derivation for sentence in seen]
later = [sentence.derivation for sentence in unseen]
rules = wl.CCGRules.of(learn)
order = sorted(zip(rules.counts, rules), key=lambda pair: -pair[0])
print(
    f"{len(rules)} rules in {len(learn):,} derivations: {sum(map(len, rules.unary.values()))} "
    f"unary, {sum(map(len, rules.binary.values()))} binary; {rules.counts.count(1)} seen once"
)
table({"rule": rule.text, "name": rule.name, "seen": count} for count, rule in order[:12])

# %%
names = Counter()
for rule, count in zip(rules, rules.counts):
    names[rule.name] += count
steps_seen = sum(names.values())
table(
    {
        "name": name,
        "sign": ">T, <T" if name == "tr" else wl.SIGNS[name],
        "share of all steps": f"{count / steps_seen:.1%}",
        "rules": sum(rule.name == name for rule in rules),
        "the most frequent one": next(rule.text for _, rule in order if rule.name == name),
    }
    for name, count in names.most_common()
)

# %% [markdown]
# A list is honest, and it is short. But it knows nothing that it has not seen. How many sentences
# must be read until it has seen enough? The curve below counts the rules, and the *later* sentences
# (those of the second split) that need no other rule.


# %%
def needed(derivation):
    """The rules that a derivation is made of."""
    return set(wl.CCGRules.of([derivation]))


wanted = [needed(derivation) for derivation in later]
sizes = sorted({round(len(learn) ** (i / 14)) for i in range(1, 15)})
known, counted, covered = set(), [], []
for start, end in zip([0, *sizes], sizes):
    for derivation in learn[start:end]:
        known |= needed(derivation)
    counted.append(len(known))
    covered.append(sum(rules_of <= known for rules_of in wanted) / len(wanted))

# %%
print(f"in the end: {counted[-1]} rules, {covered[-1]:.1%} of the later sentences")
axes = {"x": "sentences read", "log": "x", "low": 0}
panels(
    Panel({"rules": (sizes, counted)}, y="rules seen", **axes),
    Panel(
        {"sentences": (sizes, covered)},
        y="later sentences that need\nno other rule",
        percent="y",
        **axes,
    ),
)

# %% [markdown]
# The Gazette was written by a grammar itself, so the curve flattens soon. Real text is not so kind:
# there are always rules that were seen once, and so there are some that were not seen at all. Put
# `"sick-depccg"` or `"fracas-candc"` into the line at the top, if you have them: FraCaS is made of
# puzzles about quantifiers, and a quarter of its later sentences cannot be built.

# %% jupyter={"source_hidden": true} tags=["hidden"]
possessors = [
    leaf
    for name in ("train", "dev", "test")
    for sentence in nb_01.gazette().split(name)
    for leaf in sentence.derivation.leaves()
    if leaf.pos == "NP" and str(leaf.category) == "NP[nb]/N"
]
assert len(possessors) == 44 and any(leaf.word == "the refiner 's" for leaf in possessors)
assert counted[-1] == len(rules) and counted == sorted(counted) and covered == sorted(covered)
assert steps_seen == sum(len(list(d.nodes())) - len(d.leaves()) for d in learn)
assert sum(other_head[tag] for tag in (",", "``", "''", ".", ":")) > 0.8 * other_head.total()
if CORPUS == "gazette":
    assert covered[-1] == 1 and covered[0] < 0.2
    assert len(rules) == 128 and rules.counts.count(1) == 0

# %% [markdown]
# ## 7 · How many categories has a word?
#
# Before a search can begin, each word needs its lexical category, and nobody says which. So every
# category that it *may* have is tried. That decides how large the search is:

# %%
of_word = {}
for derivation in learn:
    for leaf in derivation.leaves():
        of_word.setdefault(leaf.word.lower(), Counter())[str(leaf.category)] += 1
many = Counter(len(categories) for categories in of_word.values())
bars(many, x="categories", y="different units")

# %%
richest = sorted(of_word, key=lambda word: (-len(of_word[word]), word))[:4]
table(
    {
        "unit": word,
        "categories": len(of_word[word]),
        "the most frequent": ", ".join(name for name, _ in of_word[word].most_common(3)),
    }
    for word in richest
)

# %% [markdown]
# Most have one, and it is the frequent ones that have several. For an unseen sentence, Zhang and
# Clark use a dictionary: a word that occurred more than 20 times has the categories that it was
# seen with; any other has all those that its *tag* was seen with. That finds nearly every right
# category, at a price:

# %%
rows = [nb_01.dictionary_row(seen, unseen, more_than) for more_than in (0, 5, 20, 100)]
table(rows)

# %% [markdown]
# In the 2011 paper it is 26.8 categories a word with the dictionary; with a *supertagger*, which
# looks at the words around and keeps the likely ones, 5.4 or 1.3. (But it sees the sentence in its
# true order, which a word orderer should not.) Look at both columns from the first line to the
# last: what do you pay for the few words whose right category was missing?

# %% jupyter={"source_hidden": true} tags=["hidden"]
per_unit = [row["categories a unit"] for row in rows]
assert per_unit == sorted(per_unit) and sum(many.values()) == len(of_word)
assert rows[0]["words with an entry"] > 2 * rows[2]["words with an entry"]
if CORPUS == "gazette":
    assert many[1] > 10 * many[2] and float(rows[2]["the right one is there"][:-1]) > 99

# %% [markdown]
# ## 8 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is told what is wrong
# with it, and gets a hint; `check.hint("01.1")` asks for one, `check.solution("01.1")` opens when
# the hints are used up.
#
# **01.1 Base NPs, twice.** (3 minutes) Here is a sentence as a tree and as a derivation. List its
# base NPs in either, as strings.

# %%
plans_tree, plans_derivation = nb_01.plans()
plans_tree.pretty_print()
plans_derivation

# %%
of_penn = ...  # ["...", "..."]
of_ccg = ...
check("01.1", (of_penn, of_ccg))

# %% [markdown]
# **01.2 Name the rule.** (3 minutes) Which rule joins each of these pairs? Give the short names of
# section 5: `"fa"`, `"ba"`, ...

# %%
table({"left": one, "right": other} for one, other in nb_01.PAIRS)

# %%
names_of_rules = [...]
check("01.2", names_of_rules)


# %% [markdown]
# **01.3 Read off a grammar.** (6 minutes) Return all steps of a derivation, unary ones too, in any
# order: a step is a pair, the categories of the children (a tuple of strings) and that of the
# parent. A node has `.children` (none for a word) and `.category`.


# %%
def steps(node):
    return ...  # [(("NP", r"S[dcl]\NP"), "S[dcl]"), ...]


check("01.3", steps)

# %% [markdown]
# **01.4 Be a lexicographer.** (3 minutes) *she* and *him* are `NP`, *flowers* is `N`, *has* is
# `(S[dcl]\NP)/(S[pt]\NP)` and *given* `((S[pt]\NP)/NP)/NP`. Find one category for *gave* and one
# for *never*, so that all three become `S[dcl]`: *she gave him flowers*, *she never gave him
# flowers*, *she has never given him flowers*.

# %%
categories = {"gave": ..., "never": ...}
check("01.4", categories)

# %% jupyter={"source_hidden": true} tags=["hidden"]
unsolved = {"01.1": (..., ...), "01.2": [...], "01.3": lambda node: ..., "01.4": categories}
assert all(check(number, answer).right is None for number, answer in unsolved.items())

# %% [markdown]
# ## Where to read on
#
# - [Best-first search with categories](10_best_first_ccg.ipynb): how a search builds sentences with
#   these rules. [Best-first search over dependency trees](12_best_first_dependency.ipynb): the same
#   without categories.
# - Papers: [Zhang and Clark 2011](https://aclanthology.org/D11-1106/), section 2 for the grammar
#   and 6 for base NPs and the dictionary;
#   [Hockenmaier and Steedman 2007](https://aclanthology.org/J07-3004/) for CCGbank itself.
# - Code: `wordorder_lab/structures/category.py` and `wordorder_lab/structures/combinators.py` (this
#   notebook's sections 4 and 5), `wordorder_lab/best_first/ccg_rules.py` (section 6),
#   `wordorder_lab/corpora/readers/ccgbank.py`.
# - [The glossary](glossary.md).
