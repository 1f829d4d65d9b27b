# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Input constraints
#
# **75 minutes**: sections 1 to 4 (trees), 5 to 8 (the paper, orders, scores), exercises. You need:
# [Transition-based ordering](20_transition_based.ipynb), sections 1 and 2.
#
# [Glossary](glossary.md) · [Solutions](solutions/21_input_constraints.py) ·
# paper: [Liu, Zhang, Che and Qin 2015](https://aclanthology.org/N15-1012/), section 3.2
#
# A bag of words is the hardest input. Often more is known: a tag, a few arcs, a whole tree, an
# order. This notebook is about what such knowledge leaves of the search.
#
# After this notebook you can
#
# - say which actions given tags, arcs and orders leave possible in a state, and name the reason why
#   another one is not;
# - tell a *dead end* when you see one, and keep a search out of it with REDUCABLE and SHIFTLEGAL;
# - hold a sketch in a paper against the truth, and find the smallest example in which it fails;
# - say what tags and arcs are worth, in BLEU and in time.

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_21, ordered, trained
from wordorder_lab.plots import Panel, panels, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
train, dev = corpus.train, corpus.dev

# %%
FIGURE_4 = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"
picture = wl.EventLog()
wl.order(FIGURE_4, beam=4, engine="reference", trace=picture)
wl.play(picture)

# %% [markdown]
# A bag of which most arcs are known already: `>2` says that the head is the second unit. The model
# that comes with the lab orders it. Choose a card: below the beam stands what that state may do,
# what is **forbidden** there, and why. This notebook is about that list.

# %%
model = trained(train, beam=16, epochs=5)

# %% [markdown]
# ## 1 · Tags
#
# The simplest constraint. SHIFT-*word*-*tag* also chooses a tag. If the tag is given, there is one
# SHIFT for a word; if it is not, there is one for each tag that the word had in training (a word
# that training never saw may have any tag). A slash gives a tag:

# %%
open_tags = "[Dr. Talcott] led [a team] of [Harvard University] ."
given_tags = "[Dr. Talcott]/NP led/VBD [a team]/NP of/IN [Harvard University]/NP ./."
for line in (open_tags, given_tags):
    print(" | ".join(nb_21.first_actions(line, model.dictionary)))

# %% [markdown]
# How many more is that in whole sentences? Here with none, half or all of the tags given:

# %%
rows = []
for pos in (0, 0.5, 1):
    bags = [wl.bag_of(sentence, pos=pos) for sentence in dev]
    shifts = sum(len(wl.OrderingProblem.of(bag, model.dictionary.lookup).items) for bag in bags)
    row = {"tags given": f"{pos:.0%}", "SHIFTs a unit": f"{shifts / sum(map(len, bags)):.2f}"}
    rows.append(row)
table(rows)

# %% [markdown]
# (Less than one with all tags: equal units are one item, offered once.)
#
# ## 2 · A part of the tree
#
# Now some arcs. This is the paper's **Figure 4**: all of *Dr. Talcott led a team of Harvard
# University .* is given but the arc from *led* to *a team*. So there are two trees, and nobody says
# how they belong together. In a typed bag, `>3` says that the head is the third unit (and `>0` that
# the unit is the root). It is the bag of the picture on top:
#
#     [Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2
#
# The paper asks: *Harvard University* is on the stack; may *a team* be shifted? Before you read on,
# take a pencil. What would the stack look like, and which arcs must still be built?
#
# The next cell walks to a state and lists all actions that were possible if nothing were given, and
# why some are not. Change the line, or the words after it, as you like.

# %%
nb_21.look(FIGURE_4, "Harvard University")

# %% [markdown]
# With *a team* on top, *Harvard University* could only be reached after *a team* is gone, and *a
# team* cannot go anywhere before *of* has come and is attached. But *of* would have to take
# *Harvard University* first. So nothing would ever fit together again: a **dead end**.
#
# And *led*? It belongs to the other tree. It may come any time: once it has all its dependents, the
# whole tree of *led* can hang below a word of the first tree, or the other way round.
#
# Let a model order this bag, and look at what happens state by state. In the player, choose a card:
# below the beam stands what the state may do, and what is forbidden there and why. (Step by **one
# event** through step 2: each expanded state first has its candidates, then what is forbidden.)

# %%
log = wl.EventLog()
figure_4 = wl.parse_bag(FIGURE_4)
print("with the tags alone: ", model.order(wl.parse_bag(given_tags), beam=16).text)
print("with the partial tree:", model.order(figure_4, beam=16, trace=log).text)
wl.play(log)

# %%
frame = log.to_pandas()
tried = frame.assign(step=frame.step.ffill())[frame.kind.isin(["candidate", "forbidden"])]
tried.astype({"kind": str, "step": int}).groupby(["kind", "step"]).size().unstack(fill_value=0)

# %% jupyter={"source_hidden": true} tags=["hidden"]
looked = nb_21.look(FIGURE_4, "Harvard University").data
reasons = dict(zip(looked.action, looked["why not"]))
assert reasons.pop("SHIFT-a team-NP") == (
    "“a team” would cut off “Harvard University” from its head “of”"
)
assert set(reasons) == {"SHIFT-Dr. Talcott-NP", "SHIFT-led-VBD", "SHIFT-of-IN", "SHIFT-.-."}
assert not any(reasons.values())
assert (frame.kind == "forbidden").any()

# %% [markdown]
# ## 3 · Dead ends
#
# Algorithm 2 of the paper has two tests. **REDUCABLE** is about arcs, and easy: a word may be
# attached if (a) no other head is given for it, and (b) all its given dependents have come, for
# once it is attached it is buried, and nothing can be added to it. **SHIFTLEGAL** is about SHIFT,
# and is the hard one.
#
# Is it needed? Let us go without, at random, a thousand times: any word may be shifted, only arcs
# are tested (REDUCABLE). How many of these walks end with words that cannot be joined any more?

# %%
FIGURE_2 = FIGURE_4.replace("led/VBD", "led/VBD>0").replace("[a team]/NP", "[a team]/NP>2")
lines = {
    "nothing": "[Dr. Talcott] led [a team] of [Harvard University] .",
    "one arc: of → Harvard University": "[Dr. Talcott] led [a team] of [Harvard University]>4 .",
    "two arcs: a team → of, too": "[Dr. Talcott] led [a team] of>3 [Harvard University]>4 .",
    "Figure 4: four arcs": FIGURE_4,
    "the whole tree": FIGURE_2,
}

# %%
possible = nb_21.ALGORITHMS
shares = [
    {
        "given": name,
        "stuck without SHIFTLEGAL": f"{nb_21.stuck(line, possible['without SHIFTLEGAL']):.0%}",
        "stuck with it": f"{nb_21.stuck(line, possible['Algorithm 2']):.0%}",
    }
    for name, line in lines.items()
]
table(shares)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(row["stuck with it"] == "0%" for row in shares)
assert shares[0]["stuck without SHIFTLEGAL"] == shares[1]["stuck without SHIFTLEGAL"] == "0%"
assert float(shares[4]["stuck without SHIFTLEGAL"][:-1]) > 50

# %% [markdown]
# One arc is harmless. (Why? Which words could ever stand between the two for good?) But the more is
# given, the more ways lead nowhere. A beam that is full of such states is lost: they
# may look good for a long time. So SHIFTLEGAL should be **sound**, and leave no way into a dead
# end. It should also be **complete**, and forbid nothing that can still end well. Then a search has
# its whole beam for what matters.
#
# ## 4 · The anchor
#
# How can one tell, without trying out everything that might follow? It is enough to know three
# things:
#
# - A word is **complete** when all its given dependents are attached. (Here every word without
#   given dependents is complete from the start.)
# - A word is **loose** when it is complete and no head is given for it. A loose word is never in
#   the way: whoever needs the place may take it as a dependent.
# - The **anchor** is the topmost word of the stack that is not loose. It waits for something: for
#   its dependents, or, when it has them all, for its given head. Whatever comes next must leave a
#   way to it.
#
# And this is the whole test. May this word be shifted?
#
# 1. There is no anchor: yes.
# 2. No given arc connects the word with anything shifted so far: yes, its tree can be built on top
#    and hung somewhere. (No, if it is the tree of the given root, which cannot hang anywhere.)
# 3. The anchor waits for dependents: only if the word is below the anchor in the given tree.
# 4. The anchor waits for its head: only if that is in the bag, and the word is the head or below
#    it.
#
# Look at some states, and vary them.

# %%
nb_21.stack_of(FIGURE_4, "Harvard University", "Dr. Talcott", "led", "LEFTARC")

# %%
nb_21.look(FIGURE_4, "Harvard University", "Dr. Talcott", "led", "LEFTARC")

# %% [markdown]
# - *led* waits for its full stop. That is why *of* has to wait too, although it is just what
#   *Harvard University* needs.
# - *Dr. Talcott* is not on the stack any more. Where is it?
# - What happens if you add `"."` and `"RIGHTARC"`? Who is the anchor then, and why may *of* come?
# - Give `led/VBD>0` in Figure 4. What does that change at the first step, and why?
#
# Does it hold? For small bags one can try everything. `nb_21.wrong` walks through all states of all
# forests over up to four words (the words are a, b, c, d; forests that differ only in names count
# as one), and compares a SHIFTLEGAL with the truth: whether a complete tree with all that is given
# can still be reached. This one always says yes:


# %%
def always(word, stack, bag, given, attached):
    """A SHIFTLEGAL. ``given``: word -> its given head; ``attached``: what hangs below a word."""
    return True


nb_21.wrong(always)

# %% [markdown]
# The smallest case has three words. Draw it: a → b, a → c, the stack is *a b*. If *c* comes now,
# *b* is buried. (Exercise 21.5 is to write one that is never wrong.)
#
# ## 5 · A sketch in a paper
#
# The paper has no room for SHIFTLEGAL: "we briefly sketch the SHIFTLEGAL function below". Its text
# looks at each word l of the stack and asks how it is related to the word k that is to be shifted.
# Here it is, relation by relation, as literally as we can read it:


# %%
def line(word, given):
    """A word, its given head, the head of that, and so on."""
    return [word, *line(given[word], given)] if word in given else [word]


def reducable(word, k, given, attached):
    """Whether a word has all its dependents, and may go below k."""
    waiting = {one for one in given if given[one] == word} - attached[word]
    return given.get(word, k) == k and not waiting


# %%
def goes_below(word, a, k, given):
    """A descendant of a in C, or the root of a different tree."""
    return a in line(word, given)[1:] or (word not in given and word != line(k, given)[-1])


def sketch(k, stack, bag, given, attached):
    """SHIFTLEGAL as section 3.2.2 and Figure 6 sketch it."""
    known = (bag, given, attached)
    return all(allows(k, l, stack[place + 1 :], *known) for place, l in enumerate(stack))


# %%
def allows(k, l, above, bag, given, attached):
    to_k, to_l = line(k, given), line(l, given)
    if to_l[-1] != to_k[-1]:  # "no word on the stack is in the same tree as k"
        return True
    if given.get(l) == k:  # (1) l is a child of k
        return all(reducable(word, k, given, attached) for word in (l, *above))
    if k in to_l:  # (2) l is a grandchild of k
        return False
    if given.get(k) == l:  # (3) l is the parent of k
        return all(reducable(word, k, given, attached) for word in above)
    if l in to_k:  # (4) l is a grandparent of k
        return all(goes_below(word, l, k, given) for word in above)
    a = next(word for word in to_l if word in to_k)  # (5) siblings
    return a in bag and given[l] == a and all(goes_below(w, a, k, given) for w in (l, *above))


# %%
nb_21.wrong(sketch)

# %% [markdown]
# Two things are to be seen.
#
# - **It is not complete.** The smallest case has three words, a → b and a → c, and the stack *b a*:
#   the sketch forbids *c*, since (5) wants a, the common ancestor, in the buffer. In a sentence:
#   *Dr. Talcott*, *led*, *a team*, the first three SHIFTs of the paper's own Table 1! No sentence
#   is lost (one may take *Dr. Talcott* with LEFTARC first, and end with the same tree), but the
#   oracle attaches it last, and a learner whose gold actions are forbidden cannot learn.
# - **It is not sound.** The smallest case has four words, a → b → d and a → c, and the stack *b*:
#   the sketch allows *c* by (5), though *b* still waits for *d*, and *c* would bury it.
#
# This is no reproach. It is called a sketch, and the whole algorithm is in a supplement, which is
# not public. But it is a reason to test. If a paper says "safely" or "only", ask: sound? complete?
# and let four words tell.

# %% jupyter={"source_hidden": true} tags=["hidden"]
by_sketch = list(nb_21.differences(sketch))
sizes = {
    yours: [len(d.view.stack + d.view.bag) for d in by_sketch if d.yours == yours]
    for yours in (True, False)
}
first = next(d for d in by_sketch if d.yours and len(set(d.view.given.values())) == 2)
assert (first.view.stack, first.action) == (["b"], "SHIFT-c")
assert first.view.given == {"b": "a", "c": "a", "d": "b"}
assert not any(
    d.yours
    for d in by_sketch
    if len(d.view.stack) + len(d.view.bag) < 4 and not any(d.view.attached.values())
)
assert (by_sketch[0].view.stack, by_sketch[0].action) == (["b", "a"], "SHIFT-c")
assert min(sizes[False]) == 3 and all(d.yours for d in nb_21.differences(always))

# %% [markdown]
# ## 6 · The whole tree
#
# With all arcs given, only the order is open: this is *tree linearization*, and a field of its own.
# The anchor's rules still hold. But there is much less to decide, and the paper has a simpler
# algorithm for it, Algorithm 3: as long as the top waits for descendants, shift one of them;
# otherwise build the arc, if there is one between the two topmost words; otherwise shift the head
# of the top, or another word below it.
#
# Both reach the same sentences. What is the difference?

# %%
algorithms = ("Algorithm 2", "Algorithm 3")
counts = {name: nb_21.reached(FIGURE_2, possible[name]) for name in algorithms}
table([(name, *numbers) for name, numbers in counts.items()], ["", "orders", "derivations"])

# %% [markdown]
# 96 of the 720 orders are left. Where does the number come from? (Exercise 21.2.) Algorithm 3
# builds each of them in one way. Algorithm 2 takes left and right dependents of a head in any turn,
# as you saw in exercise 20.7. The search in this package uses Algorithm 2, which fits all shares of
# a tree.
#
# (The paper's text and its pseudo-code differ: line 15 as printed shifts SIBLINGS(i), the text says
# "a word in i's sibling tree". The text is right. With the siblings alone, *c d b a* is never found
# for c ← a → b → d, which has four words again.)
#
# ## 7 · Phrases and orders
#
# Two more things that may be known. A **phrase** that is to stay whole is a unit of the bag: square
# brackets. And an **order** of two units is written behind a bar: `2<1` says that unit 2 stands
# somewhere before unit 1.

# %%
for line in (
    "joined/VBD>0 [Pierre Vinken]/NP>1 [the board]/NP>1 ./.>1",
    "joined/VBD>0 [Pierre Vinken]/NP>1 [the board]/NP>1 ./.>1 | 2<1 1<3",
):
    print(f"{model.order(wl.parse_bag(line)).text:40}{line}")

# %%
nb_21.look("joined/VBD>0 [Pierre Vinken]/NP>1 [the board]/NP>1 ./.>1 | 2<1 1<3")

# %% [markdown]
# Inside one tree nothing has to be looked up later: subtrees do not mix, so an order between two
# words of different subtrees is one between the whole subtrees. All that follows is worked out
# before the search begins. What contradicts itself is found there, too, and named:

# %%
for line in (
    "a>2 b>3 c>1",
    "a b c | 1<2<3 3<1",
    "[the board]>2 joined>0 [Pierre Vinken]>2 of>3 Elsevier>4 | 1<3 5<1",
):
    try:
        print(model.order(wl.parse_bag(line)).text)
    except ValueError as error:
        print(f"{line}\n    {error}")

# %% [markdown]
# In the last line neither the heads nor the orders go round. But *Elsevier* is below *Pierre
# Vinken*, so it cannot be on the other side of *the board*.
#
# Orders between words of *different* given trees are harder: one tree may be put into a gap of the
# other. Then the search has to look ahead, state by state. Here is such a bag. Why may *a* not be
# first?

# %%
nb_21.look("a b>1 c d>3 | 2<3 4<2")

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert (
    counts["Algorithm 3"] == (96, 96) and counts["Algorithm 2"][0] == 96 < counts["Algorithm 2"][1]
)
words = model.order(wl.parse_bag("joined [Pierre Vinken] [the board] . | 2<1 1<3")).words
assert words.index("Pierre Vinken") < words.index("joined") < words.index("the board")

# %% [markdown]
# ## 8 · What is it worth?
#
# Zhang (2013) and the paper give a model none, half or all of the tags, and none, half or all of
# the arcs, picked at random from the gold tree: nine conditions (Table 3). We pick among the arcs
# between words; which word is the root is no arc. One model of ours, trained with all tags and
# without arcs, in all nine:

# %%
few, shares = dev[:60], (0, 0.5, 1)
scores, milliseconds, work = {}, {}, {}
for pos in shares:
    name = f"{pos:.0%} of the tags"
    scores[name], milliseconds[name], work[name] = {}, {}, {}
    for deps in shares:
        runs = [wl.evaluate(model, few, pos=pos, deps=deps, beam=64) for _ in range(3)]
        scores[name][deps] = runs[0].scores.bleu_cased
        milliseconds[name][deps] = min(run.scores.ms_per_sentence for run in runs)
        bags = [wl.bag_of(sentence, pos, deps) for sentence in few]
        candidates = [one.counters["candidates"] for one in ordered(model, bags, beam=64)]
        work[name][deps] = sum(candidates) / len(few)

# %%
axes = {"x": "share of arcs", "ticks": shares, "percent": "x"}
panels(
    Panel(scores, title="BLEU", **axes),
    Panel(milliseconds, title="milliseconds a sentence", low=0, **axes),
    Panel(work, title="candidates a sentence", low=0, **axes),
)

# %% [markdown]
# - **Arcs are worth far more than tags.** In the paper's Table 3, all tags lift BLEU from 47.5 to
#   48.8, and all arcs to 77.8. A likely reason: a word mostly has one tag anyway, and the model
#   knows which. Whom it belongs to is what a bag does not say. (Even the whole tree leaves many
#   orders open. How many of the 96 would you have printed?)
# - **More input is less work.** Each forbidden action is a candidate that need not be looked at.
#   The paper reports 155 milliseconds a sentence with nothing given, and 22 with everything.
# - Does your clock see as much of it as the count of candidates does? Remember section 8 of
#   [the last notebook](20_transition_based.ipynb): what does the engine do once for each state,
#   however many actions are possible there?
#
# The same on the Penn sample, with more sentences and tests. The transition system orders five
# samples of what is given, best-first search one; each model was trained three times, from other
# orders of the sentences (`wordorder-lab reproduce liu-2015-table-3-with-3-seeds`):

# %%
table(wl.claims_table("liu-2015-table-3", "liu-2015-table-5"))

# %% [markdown]
# Look at the rows that set the transition system against best-first search (Zhang 2013): the paper
# has it ahead in all nine conditions. And now on EWT: texts from the web, all units words, 1,970
# sentences to score. The transition system learns from 12,256 sentences in ten epochs; best-first
# search, which costs more, from the 10,047 of up to 25 words in five, with 500 expansions each.
# Each model was trained three times here, too.

# %%
table(wl.claims_table("liu-2015-table-3-on-ewt"))

# %% [markdown]
# What is other here: the words, or how many sentences there are to learn from? Both systems once
# more, on every eighth sentence of EWT, on every fourth, on every second and on all:

# %%
wl.paper_figure("liu-2015-learning-curve")

# %%
table(wl.claims_table("liu-2015-learning-curve"))

# %% [markdown]
# Where half of both or all of both is given, transitions begin behind. With all tags *and* all arcs
# they end ahead, in this one training. The three trainings of the table before the curve leave that
# open, and half of both, too; with all arcs and no tags, or half of the tags, transitions are still
# behind after all sentences. So a comparison on three thousand sentences says little about forty
# thousand.
#
# And with one model for each input, which learned with just what it will be given (Table 5)? There
# transitions are ahead on EWT whatever is given, as the paper has it: with nothing, with tags, and
# with tags and tree (one training each; on the Penn sample, in three, no difference is
# significant):

# %%
table(wl.claims_table("liu-2015-table-5-on-ewt"))

# %% [markdown]
# The paper does not say which model it used for Table 3. Would one that was *trained* with half of
# the tags and half of the arcs be better? `trained(train, beam=16, epochs=5, pos=0.5, deps=0.5)` is
# all that you need for a first answer. (What would you need for a sure one?)

# %% jupyter={"source_hidden": true} tags=["hidden"]
for name in scores:
    assert scores[name][0] < scores[name][0.5] < scores[name][1]
    assert work[name][0] > work[name][0.5] > work[name][1]
(less, _, more), (no_tags, _, all_tags) = scores.values(), work.values()
assert less[0] < more[1]
assert no_tags[0] > all_tags[0] and no_tags[1] >= all_tags[1]

# %% [markdown]
# ## 9 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is shown where it goes
# wrong, and gets a hint; `check.hint("21.1")` asks for one, `check.solution("21.1")` opens when the
# hints are used up. The answers are compared with what the engines really do.
#
# **21.1** (3 minutes) Given are the dog → in → the park. On the stack lie *the park* and, on top,
# *saw*. Which actions are possible? A set of names: `"LEFTARC"`, `"RIGHTARC"`, `"SHIFT-word"`.
#
#     [an old man] saw [the dog] in>3 [the park]>4 .

# %%
possible_here = ...
check("21.1", possible_here)


# %% [markdown]
# **21.2** (6 minutes) How many orders does a whole tree allow? `heads[i]` is the head of word i,
# and -1 for the root. All words are different.


# %%
def orders_of(heads):
    return ...


check("21.2", orders_of)

# %% [markdown]
# **21.3 A contradiction that hides.** (3 minutes) Write a typed bag of at most six units with heads
# and orders, such that the heads alone are fine, the orders alone are fine, and yet no sentence
# keeps both.

# %%
contradiction = ...  # such as "a b>1 c | 2<3", which is no contradiction
check("21.3", contradiction)


# %% [markdown]
# **21.4 Write your own REDUCABLE.** (6 minutes) May `dependent` be attached to `head` for good?
# `given` is a dictionary: the given head of each word that has one. `attached` says, for each word
# of the stack, the set of what hangs directly below it so far.


# %%
def my_reducable(dependent, head, given, attached):
    return ...


check("21.4", my_reducable)


# %% [markdown]
# **21.5 Write your own legality test.** (6 minutes) May `word` be shifted onto this stack (a list,
# its top last; never empty)? `bag` is the list of what is left, `word` among it; `given` and
# `attached` are as above. Yours is compared with the truth in every state of every forest over up
# to four words; then it is plugged into the reference engine, which orders some bags with it. No
# roots and no orders are given.


# %%
def my_shift_legal(word, stack, bag, given, attached):
    return ...


check("21.5", my_shift_legal)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"21.{i}", ...).right is None for i in range(1, 6))

# %% [markdown]
# ## Where to read on
#
# - Paper: [Liu et al. 2015](https://aclanthology.org/N15-1012/), section 3.2 (constraints) and 4.2
#   (Tables 3 and 5). The nine conditions are from Zhang 2013, *Partial-tree linearization* (IJCAI),
#   which has them in a best-first search.
# - Code: `wordorder_lab/transition/actions.py` (its docstring is section 4),
#   `wordorder_lab/transition/forbidden_actions.py` (the reasons),
#   `wordorder_lab/transition/full_tree_actions.py` (section 6),
#   `wordorder_lab/transition/actions.py` (the interleaving orders of section 7).
# - [The glossary](glossary.md), and before this one:
#   [Transition-based ordering](20_transition_based.ipynb).
