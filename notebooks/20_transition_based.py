# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Transition-based ordering
#
# **90 minutes**, or two lessons: sections 1 to 4 (search) and 5 to 8 (learning). You need:
# [Start here](00_start_here.ipynb), and to know what a dependency tree looks like.
#
# [Glossary](glossary.md) · [Solutions](solutions/20_transition_based.py) ·
# paper: [Liu, Zhang, Che and Qin 2015](https://aclanthology.org/N15-1012/), sections 2 and 3
#
# After this notebook you can
#
# - build a sentence and its tree by hand, with the three actions SHIFT, LEFTARC and RIGHTARC;
# - say what a beam keeps and what it cuts, and tell a *search error* from a *model error*;
# - explain early update and max-violation, and point to the step where they strike;
# - turn the log of a run into a table and answer your own questions with it.

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_20, trained
from wordorder_lab.plots import Panel, dots, gold_behind, gold_ranks, lines, margins, panels, table

CORPUS = "gazette"  # the one line to change: any name that `wordorder-lab corpora` lists

corpus = wl.load_corpus(CORPUS)
train, dev = corpus.train, corpus.dev  # the Gazette's; "ptb-sample" has real newspaper sentences

# %%
line = "led/VBD [Dr. Talcott]/NP [a team]/NP of/IN [Harvard University]/NP ./."
picture = wl.EventLog()
wl.order(line, beam=4, engine="reference", trace=picture)
wl.play(picture)

# %% [markdown]
# This is the whole notebook in one picture, made by the model that comes with the lab. A **column**
# is a step, a **card** is a sentence half built, with its stack and what is left in the bag. Four
# cards stay in each column; dashed ones, with the scissors, were cut. Step with the arrow keys, and
# watch the last cards. By the end you can say what each line of a card means, why a card was cut,
# and how the scores came about.
#
# ## 1 · Three actions
#
# Imagine two places. In the **bag** lie all the words, in no order. The **stack** is where the
# sentence grows; its top is on the right. There are only three things that one can do:
#
# | action | what it does | stack before | stack after |
# | --- | --- | --- | --- |
# | SHIFT-*word*-*tag* | takes a word out of the bag, puts it on top | … | … word |
# | LEFTARC | the second word becomes a dependent of the top: j ← i | … j i | … i |
# | RIGHTARC | the top becomes a dependent of the second word: j → i | … j i | … j |
#
# One begins with an empty stack and a full bag, and is done when the bag is empty and one word, the
# root of the tree, is left on the stack. In the paper's notation (Figure 3), with stack σ, bag ρ
# and the arcs A built so far:
#
#     SHIFT-i-POS     (σ, ρ, A)        ⟹   (σ|i, ρ − {i}, A)
#     LEFTARC         (σ|j i, ρ, A)    ⟹   (σ|i, ρ, A ∪ {j ← i})
#     RIGHTARC        (σ|j i, ρ, A)    ⟹   (σ|j, ρ, A ∪ {j → i})
#
# Words leave the bag in the order of the sentence. That is the whole trick: **a parser that may
# choose its next word is a program that orders words.**
#
# Here is the paper's running example (Figure 2). Phrases such as *a team* are kept whole.

# %%
talcott = wl.Sentence(
    (
        wl.Token(("Dr.", "Talcott"), "NP", 1),  # words, tag, place of the head
        wl.Token(("led",), "VBD", -1),  # -1: the root
        wl.Token(("a", "team"), "NP", 1),
        wl.Token(("of",), "IN", 2),
        wl.Token(("Harvard", "University"), "NP", 3),
        wl.Token((".",), ".", 1),
    )
)
talcott.tree

# %% [markdown]
# A *problem* is a bag made ready for search. Action numbers are 0 for LEFTARC, 1 for RIGHTARC, and
# from 2 on one for each word that can be shifted. At the start nothing but SHIFT is possible:

# %%
problem = wl.OrderingProblem.of(wl.bag_of(talcott), lookup=lambda unit: ())
nb_20.first_actions(problem)

# %% [markdown]
# Now take the actions of the paper's Table 1, one by one. Go through the rows with a finger: which
# word is where, and why does RIGHTARC come three times in a row?

# %%
table_1 = nb_20.states_on_the_way(nb_20.gold_actions(talcott, problem), problem)
table(table_1)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert " ".join(row["action"].split("-")[0] for row in table_1) == (
    "SHIFT SHIFT SHIFT SHIFT SHIFT RIGHTARC RIGHTARC RIGHTARC SHIFT RIGHTARC LEFTARC"
)
assert table_1[-1]["stack"] == "led" and table_1[-1]["bag"] == ""

# %% [markdown]
# The paper says that n words take 2n actions. Count the rows. (Exercise 20.2 asks why.)
#
# How many ways are there through this system? We can walk them all while the bag is small:

# %%
counts = []
for n in range(1, 6):
    words = wl.WordBag([f"word {i}" for i in range(n)])
    few = wl.OrderingProblem.of(words, lookup=lambda unit: ("X",))
    counts.append((n, sum(1 for _ in nb_20.derivations(few))))
table(counts, ["words", "derivations"])

# %% [markdown]
# Each word more multiplies the number, soon by twenty and more. Six words have 967,680 derivations,
# twenty words more than 10³³. We cannot look at them all; and the problem is NP-hard, so nobody
# expects a trick that does without looking.
#
# ## 2 · A beam
#
# So look only where it is promising. A *model* gives every action in every state a score, and a
# derivation has the sum of its actions' scores. **Beam search** (Algorithm 1) goes step by step:
#
# 1. take every state of the beam and every possible action: these are the *candidates*;
# 2. keep the *k* best, cut the others, and go on with the next step.
#
# All derivations of a bag are equally long, so states of one step can be compared fairly. With n
# words there are 2n - 1 steps, a candidate is scored in constant time, and each state has at most
# n + 2 actions (times the tags, where they are open). Therefore the time is quadratic in n, and
# *every* bag comes out as a sentence. Nothing can time out.

# %%
model = trained(train, beam=16, epochs=5)
bag = wl.bag_of(talcott)  # shuffled, with tags

logs, outputs = {}, []
for beam in (1, 4, 16, 1024):
    logs[beam] = wl.EventLog()
    result = model.order(bag, beam=beam, trace=logs[beam])
    outputs.append((beam, result.text, result.score, result.counters["candidates"]))
table(outputs, ["beam", "output", "score", "candidates"], places=1)

# %% [markdown]
# There are two ways to go wrong, and the table shows how to tell them apart:
#
# - **Search error.** A wider beam finds an output with a *higher score*. The model had liked that
#   one better all along; the narrow beam had cut it on the way. (And if a narrow beam's sentence
#   reads better? Then that was luck: it did not find what it was looking for.)
# - **Model error.** The widest beam finds what the model likes best, and it is still wrong. No
#   search can help. (To be sure that nothing better was cut, make the beam so wide that nothing is
#   cut at all. For six words that takes about a million states, and patience.)
#
# What does the model like? Here are the best sentences in the widest beam, each with its best tree:

# %%
best_score = {}
for one in model.order(bag, beam=1024, k=1024).k_best:
    best_score.setdefault(one.text, one.score)
table(list(best_score.items())[:12], ["sentence", "score"], places=1)

# %% jupyter={"source_hidden": true} tags=["hidden"]
three = {"Dr. Talcott", "a team", "Harvard University"}
in_turn = [(a, b, *(three - {a, b})) for a in three for b in three - {a}]
of_behind_1 = {f"{a} of {b} led {c} ." for a, b, c in in_turn}
of_behind_2 = {f"{a} led {b} of {c} ." for a, b, c in in_turn}
firsts = set(list(best_score)[:6])
if CORPUS in ("gazette", "ptb-sample"):
    assert firsts <= of_behind_1 | of_behind_2, "the syntax has been learned"
    assert outputs[0][2] < outputs[3][2], "a search error, at beam 1"
assert CORPUS != "ptb-sample" or firsts <= of_behind_2
assert CORPUS != "ptb-sample" or outputs[2][2] == outputs[3][2]

# %% [markdown]
# Do you see it? At the top, all are made alike: somebody *led* somebody, and *of* with the third
# noun phrase stands behind one of the two. The noun phrases can be exchanged in 3! = 6 ways, and
# *of* has two places: twelve sentences. The syntax has been learned. Who leads whom, one learns
# from the world and not from the words.
#
# (Change `CORPUS` to `"ptb-sample"`, and the model has read real newspapers. It has its own opinion
# of where *of* belongs: the first six have it behind *led* and its object.)
#
# Now watch the search errors happen. In the player, a column is a step and a card is a state.
# Dashed cards, with the scissors, were cut, and the number says by how much. First go **by
# step** with the arrow keys, then choose **by event** and go slowly through one column. The lines
# of Algorithm 1 light up as they are run.

# %%
player = wl.play(logs[4])
player

# %% [markdown]
# - After the first SHIFT, what is cut, and by how much did it lose?
# - When does the first arc come? Why not earlier?
# - Find a step in which the best state *does not* come from the best state of the step before.
#
# ### A beside B
#
# Two runs on one clock. Press **first difference**: there the ways to the two outputs part. Why
# does beam 1 not go the way of B, although that one wins?

# %%
wl.play(logs[1], logs[16], names=("beam 1", "beam 16"))

# %% [markdown]
# ### Quiz
#
# Go back to the first player and press **quiz**. It stops before every new beam and asks which
# candidate ranks first. Guess a few times; then run the next cell. The guesses have come back to
# Python as a table.

# %%
player.quiz

# %% [markdown]
# ## 3 · Ask the log
#
# A log is a list of events, and `to_pandas()` makes a table of it, a row an event. Every kind of
# event fills its own columns.

# %%
frame = logs[16].to_pandas()
table(frame.head(8).dropna(axis="columns", how="all"))

# %%
frame.kind.value_counts()

# %% [markdown]
# How big is a step? Number the rows by the step that they belong to, and count the candidates:

# %%
sizes = {}
for beam in (4, 16, 1024):
    events = logs[beam].to_pandas()
    events["at"] = events.step.ffill()
    sizes[f"beam {beam}"] = events[events.kind == "candidate"].groupby("at").size()

lines(sizes, x="step", y="candidates (log scale)", log="y")

# %% [markdown]
# Beam 1024 shows how the space itself opens and closes again: first there is more and more to
# choose from, then the bag runs empty. A narrow beam is full after a step or two; from then
# on the steps cost about the same, or less.
#
# How close were the cuts? The margin of a cut candidate is how far it was behind the last state
# that stayed. A margin of 0 lost by a coin toss, or rather by the rule for ties (exercise 20.6).

# %%
cuts = frame[frame.kind == "cut"].assign(step=frame.step.ffill())
margins(cuts.step, cuts.margin, y="margin, beam 16")

# %% jupyter={"source_hidden": true} tags=["hidden"]
steps = 2 * len(talcott) - 1
assert (frame.kind == "step").sum() == steps == len(table_1)
assert (frame.kind == "candidate").sum() == (frame.kind.isin(["kept", "cut"])).sum()
assert (cuts.margin >= 0).all()
assert outputs[-1][2] >= max(row[2] for row in outputs), "beam 1024 loses to no other here"
quiz_columns = "view position kind difficulty question guess answer right"
assert list(player.quiz.columns) == quiz_columns.split()

# %% [markdown]
# ## 4 · Long spans, short spans
#
# A *span* is the piece of the sentence below one word of the tree, and arcs complete spans. The
# same log, seen that way: which lengths are built when? (Section 4.3 of the paper compares systems
# by this: best-first search has fewer short spans and more long ones, it says, and the beam lengths
# closer to those of gold trees. [Span lengths](32_span_lengths.ipynb) looks into it.)

# %%
wl.play(logs[16], view="spans")

# %% [markdown]
# ## 5 · Learning: where gold falls out
#
# The model is trained with the very search that it is used with. Take a training sentence, shuffle
# it, decode, and keep an eye on the **gold state**: the one that the right actions lead to. As long
# as gold is in the beam, all may still be well. When it has been cut, the search cannot come out
# right any more, whatever happens.
#
# **Early update** stops at this moment. The perceptron then adds 1 to the weights of all features
# of the gold actions so far, and takes 1 from those of the best state's actions. It does not go on
# to the end: what the search does after it has lost its way says little about the way.
#
# ### By hand, with numbers
#
# One sentence, beam 1, all weights zero. In the first step all four SHIFTs have score 0. Among
# equals the one made first wins, and units are tried in the order of their characters: the full
# stop. So gold (SHIFT-IBM) is cut at once. Six templates look at the last three words, and in the
# empty state there is only *-BEGIN-* to see. So six weights go up and six go down:

# %%
ibm = wl.Sentence(
    (
        wl.Token(("IBM",), "NP", 1),
        wl.Token(("bought",), "VBD", -1),
        wl.Token(("Lotus",), "NP", 1),
        wl.Token((".",), ".", 1),
    )
)
(example,) = nb_20.examples_of([ibm])
learner = nb_20.learner_of([ibm], beam=1)  # the readable learner

# %%
passes = []
for _ in range(6):
    learner.trace = wl.EventLog()
    learner.learn(example)
    passes.append(learner.trace.to_pandas())

changed = passes[0][passes[0].kind == "weight"]
table(changed[["feature", "action", "before", "after"]], places=0)

# %% [markdown]
# The second time, SHIFT-IBM has 6 · 1 = 6 points, SHIFT-. has -6, and the others 0: gold survives
# the first step, and falls out in the second. Pass after pass it gets further, until the learner
# knows its sentence by heart. (Try `beam=2` or `beam=4` above: fewer passes, and larger steps.)

# %%
rows = []
for number, events in enumerate(passes, 1):
    firsts = events[events.kind == "candidate"].head(4)
    shifts = dict(zip(firsts.action, firsts.score))
    update = events[events.kind == "update"].step
    rows.append(
        {"pass": number, **shifts, "update after step": update.iloc[0] if len(update) else "-"}
    )
table(rows, places=0)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert len(changed) == 12 and sorted(changed.after) == [-1] * 6 + [1] * 6
assert rows[1]["SHIFT-IBM-NP"] == 6 and rows[1]["SHIFT-.-."] == -6
assert rows[0]["update after step"] == 1 and rows[-1]["update after step"] == "-"

# %% [markdown]
# ### In the player
#
# The same learner on sentences of the corpus. It reads some short ones, and we watch it on the last
# three:

# %%
short = [sentence for sentence in train if 5 <= len(sentence) <= 7][:60]
examples = nb_20.examples_of(short)
learner = nb_20.learner_of(short, beam=4)
for example in examples[:-3]:
    learner.learn(example)

training = wl.EventLog()
learner.trace = training
for example in examples[-3:]:
    learner.learn(example)
learner.trace = None

wl.play(training)

# %% [markdown]
# The gold state is marked in every column. Choose **gold**, press **jump to** and follow its rank
# from step to step, until it is cut. Then jump to **update**, and go on event by event: these are
# the weights that change. Which of them would you have expected?
#
# ### Gold's last steps
#
# With a wide beam, does gold die suddenly, or slip down? A line is gold's rank in one search,
# followed to the end, also outside the beam. The learner has beam 16 and has read 260 sentences:

# %%
longer = [sentence for sentence in train if 8 <= len(sentence) <= 14][:300]
more = nb_20.examples_of(longer)
learner_16 = nb_20.learner_of(longer, beam=16)
for example in more[:-40]:
    learner_16.learn(example)
courses = [nb_20.course(learner_16, example) for example in more[-40:]]
gold_ranks([one.ranks for one in courses[:15]], beam=16)

# %% [markdown]
# ## 6 · Early, or where it hurts most
#
# Early update makes the *first* fatal mistake its lesson. **Max-violation** (Huang, Fayong and Guo
# 2012) decodes to the end and takes the step where the best state is *furthest ahead* of gold. It
# is not in the paper, but an easy change. One sentence, both rules:

# %%
fallen = [one for one in courses if -1 in one.ranks]
longest = max(fallen, key=lambda one: one.ranks.index(-1))  # where gold lives longest
lead = [best - gold for best, gold in zip(longest.best, longest.gold)]  # of the best state
early_step = longest.ranks.index(-1) + 1
widest_step = lead.index(max(lead)) + 1
at = {"early update": early_step, "max-violation": widest_step}
gold_behind(longest.best, longest.gold, marks=at)

# %% [markdown]
# And in the player: two learners with the same weights at the next sentence. A stops as soon as
# gold has been cut; B goes on to the end, and then decides where to update.

# %%
versus = {}
for update in ("early", "max-violation"):
    one = nb_20.learner_of(short, beam=4)
    for example in examples[:-3]:
        one.learn(example)
    one.update = update
    versus[update] = one.trace = wl.EventLog()
    one.learn(examples[-3])
wl.play(versus["early"], versus["max-violation"], names=("early update", "max-violation"))

# %% jupyter={"source_hidden": true} tags=["hidden"]
told_by = {name: [e for e in log if e[0] == "update"] for name, log in versus.items()}
assert {event[3] for event in told_by["early"]} <= {"early", "end"}
assert {event[3] for event in told_by["max-violation"]} <= {"max-violation"}
assert lead[widest_step - 1] >= lead[early_step - 1] >= 0
told = {event[0] for event in training}
assert {"update", "weight", "gold"} <= told

# %% [markdown]
# ## 7 · Does it learn?
#
# A small version of the paper's Figure 7: BLEU on sentences that were not learned, after each
# epoch, for three beams and both rules. Before you run it, guess: which beam is best, and which
# rule?

# %%
sample, held_out = train[:400], dev[:80]
curves = {"early": {}, "max-violation": {}}
for update in curves:
    for beam in (1, 4, 16):
        settings = {"beam": beam, "update": update, "epochs": 4}
        curves[update][f"beam {beam}"] = nb_20.bleu_by_epoch(sample, held_out, **settings)

# %%
floor = wl.random_order(held_out).scores.bleu_cased
axes = {"x": "epoch", "levels": {"random order": floor}}
panels(
    Panel(curves["early"], title="early", y="BLEU, sentences not learned", **axes),
    Panel(curves["max-violation"], title="max-violation", **axes),
    share_y=True,
)

# %% jupyter={"source_hidden": true} tags=["hidden"]
for of_rule in curves.values():
    assert all(len(curve) == 4 for curve in of_rule.values())
assert min(curves["early"]["beam 16"]) > floor

# %% [markdown]
# A wide beam keeps gold longer, so each update teaches more actions. Do not trust a curve from 80
# sentences too far, though. The paper learns from about a hundred times as many, and finds that 64
# is as wide as it pays: 128 is not significantly better and takes twice the time. Here is the whole
# figure as it came out here, from a record that comes along
# (`wordorder-lab reproduce liu-2015-figure-7` makes it anew; notebook
# [90](90_reproduce_papers.ipynb) judges what the paper claims):

# %%
wl.paper_figure("liu-2015-figure-7")

# %% [markdown]
# ## 8 · What it costs
#
# Twice the words, four times the candidates: 2n - 1 steps, and in each at most *k* states with at
# most n + 2 actions. Count them for bags of all lengths:

# %%
lengths, candidates = [], []
for sentence in dev[:150]:
    lengths.append(len(sentence))
    candidates.append(model.order(wl.bag_of(sentence)).counters["candidates"])
dots({"candidates": candidates}, lengths, x="units in the bag")

# %% jupyter={"source_hidden": true} tags=["hidden"]
per_square = [c / n**2 for c, n in zip(candidates, lengths) if n >= 10]
assert max(per_square) < 3 * min(per_square), "candidates grow with the square"

# %% [markdown]
# They lie on a parabola. (The clock hardly sees it: features are looked at once a state, and one
# candidate more costs little beside that. "Quadratic" says how bad it can get.)
#
# ## 9 · Exercises
#
# Write your answer where the `...` stands and run the cell. A wrong answer is shown where it goes
# wrong, and gets a hint; `check.hint("20.1")` asks for one, `check.solution("20.1")` opens when the
# hints are used up. The answers are compared with what the engines really do.
#
# **20.1** (3 minutes) The bag is *IBM, bought, Lotus* and the full stop. Stack (top last) and bag
# after SHIFT-IBM, SHIFT-bought, SHIFT-Lotus, RIGHTARC?

# %%
stack = ...  # a list of words
remaining = ...  # a list of words
check("20.1", (stack, remaining))


# %% [markdown]
# **20.2** (3 minutes) How many actions does a bag of n words take, and why?


# %%
def actions_for(n):
    return ...


check("20.2", actions_for)


# %% [markdown]
# **20.3 Write your own legality test.** (6 minutes) Which actions are possible with this stack and
# this bag? Both are lists of words. Return a set of names: `"LEFTARC"`, `"RIGHTARC"`,
# `"SHIFT-word"`. Yours is compared with the grammar on all states of all small bags.


# %%
def possible(stack, bag):
    return ...


check("20.3", possible)


# %% [markdown]
# **20.4 Write your own update rule.** (6 minutes) One training sentence was decoded to the end. You
# are given three lists with an entry a step: gold's rank in the beam (0 the best, -1 once it has
# fallen out), the score of the best state, the score of the gold state. After which step (counted
# from 1) does *early update* update? `None` if there is nothing to learn.


# %%
def early(ranks, best, gold):
    return ...


check("20.4", early)


# %% [markdown]
# **20.5** (3 minutes) The same for *max-violation*.


# %%
def max_violation(ranks, best, gold):
    return ...


check("20.5", max_violation)


# %% [markdown]
# **20.6 Break the tie-breaking.** (6 minutes) TOP-K sorts the candidates by the key
# `(-candidate.score, candidate.serial)`: the best score first, and among equals the candidate that
# was made first. Write another key. It must still put higher scores first and tell any two
# candidates apart, and yet change what comes out. A candidate has `score`, `serial`, `action` (a
# number) and `parent` (a state). Yours is plugged into the reference engine.


# %%
def my_key(candidate):
    return ...


check("20.6", my_key)


# %% [markdown]
# **20.7 For those who want more: one tree, one derivation.** (10 minutes) Some trees can be built
# in several ways, and each way takes a place in the beam. Write a test that forbids just so much
# that every tree is built in exactly one way. `state.stack[-1]` is the top; a node has the tuples
# `left` and `right` of its dependents so far; `action` is `"LEFTARC"`, `"RIGHTARC"` or `"SHIFT"`.
# Return whether the action is allowed. (Only those that are possible anyway are asked about.)


# %%
def legal(state, action):
    return ...


check("20.7", legal)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"20.{i}", ...).right is None for i in range(1, 8))

# %% [markdown]
# ## Where to read on
#
# - Paper: [Liu et al. 2015](https://aclanthology.org/N15-1012/). Section 2 is the parser, Section 3
#   the linearizer, 3.1 search and learning, Section 4 the experiments.
# - Code: `wordorder_lab/transition/actions.py` (section 1 of this notebook),
#   `wordorder_lab/transition/beam.py` (section 2),
#   `wordorder_lab/transition/averaged_perceptron.py` (sections 5 and 6). Each begins with the
#   paper's pseudo-code and ends its docstring with what we do differently.
# - The next notebook: [Input constraints](21_input_constraints.ipynb). After it:
#   [Search and model errors](31_search_and_model_errors.ipynb). And [the glossary](glossary.md).
