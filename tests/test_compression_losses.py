"""The losses of Cohn & Lapata (2009), section 3.6: Table 1, and equations 12 to 14 by counting."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree
from transduction_cases import random_tree
from transduction_examples import FLAT_TARGET, PREDICTED, TABLE_1, TARGET, parse_elementary_tree
from transduction_oracles import bag, naive_loss

from wordorder_lab.transduction.losses import LOSSES, compression_loss

HAMMING = [name for name in LOSSES if name.startswith("hamming")]


@pytest.mark.parametrize("name", LOSSES)
def test_table_1(name: str) -> None:
    """Arguments and values as the definitions give them; the examples name the printed ones."""
    arguments, value, normalised = TABLE_1[name]
    loss = compression_loss(name, TARGET)
    found = loss.of_tree(PREDICTED)
    assert found == arguments
    assert loss.value(found) == pytest.approx(value, abs=1e-15)
    if normalised is not None:
        assert loss.value(found) / bag(name, PREDICTED).total() == normalised
    assert loss.value(loss.of_tree(TARGET)) == 0


def test_the_printed_cfg_loss_needs_flat_trees() -> None:
    loss = compression_loss("hamming-cfg", FLAT_TARGET)
    assert loss.of_tree(PREDICTED) == (8, 1)
    assert loss.value((8, 1)) == 1 and loss.length == 9


def words(text: str) -> Tree:
    return Tree("S", [Tree("X", [word]) for word in text.split()])


def test_short_outputs_and_repeated_words() -> None:
    """What section 3.6 says of the losses: which of them a permutation or repetition escapes."""
    gold = words("a b c d")
    token, ngram, edit, f1 = (
        compression_loss(name, gold) for name in ("hamming-tokens", "hamming-ngrams", "edit", "f1")
    )

    def values(text: str) -> list[float]:
        return [loss.value(loss.of_tree(words(text))) for loss in (token, ngram, edit, f1)]

    assert values("d c b a")[::2] == [0, 0] and values("d c b a")[1] > 0
    assert values("a a a a") == [0, 8, 6, 0.75]
    assert values("a b") == [2, 8, 2, pytest.approx(1 / 3)]
    assert values("x") == [4, 14, 5, 1]  # one wrong, three missing


@pytest.mark.parametrize("name", HAMMING)
def test_the_penalty_is_the_factor_of_what_is_missing(name: str) -> None:
    """Footnote 17; the factor multiplies the whole loss."""
    out = words("x a")
    found = [compression_loss(name, TARGET, penalty=p) for p in (0, 0.5, 1, 2)]
    counts = found[0].of_tree(out)
    missing = bag(name, TARGET).total() - bag(name, out).total()
    assert [one.value(counts) for one in found] == [counts[1] + p * missing for p in (0, 0.5, 1, 2)]
    thrice = compression_loss(name, TARGET, 0.5, 3.0)
    assert thrice.value(counts) == 3 * found[1].value(counts)


@given(st.integers(0, 10**6), st.sampled_from(LOSSES), st.sampled_from([0.0, 0.5, 1.0]))
def test_arguments_and_values_are_the_equations(seed: int, name: str, penalty: float) -> None:
    """For random trees; arguments add up in any order, as a chart adds them."""
    chance = random.Random(seed)
    out, gold = (random_tree(chance, chance.randint(1, 7)) for _ in range(2))
    loss = compression_loss(name, gold, penalty, 2.0)
    counts = loss.of_tree(out)
    assert loss.value(counts) == pytest.approx(2 * naive_loss(name, out, gold, penalty), abs=1e-12)
    assert loss.value(loss.of_tree(gold)) == 0 and loss.value(counts) >= 0
    assert sum(counts) == bag(name, out).total() and len(counts) == loss.width
    if name in ("hamming-tokens", "edit", "f1"):
        pieces = [loss.of_tree(Tree("X", [word])) for word in out.leaves()]
        chance.shuffle(pieces)
        added = [0] * loss.width
        for piece in pieces:
            loss.added(added, piece)
        assert tuple(added) == counts


def test_the_arguments_of_a_rule() -> None:
    """Of its target side: words, productions; n-grams are counted where pieces meet."""
    gold = Tree.fromstring("(S (A a) (A a) (B b))")
    target = parse_elementary_tree("[S [A a] B_1 [S [A a] [A a] C_2]]")
    wanted = {
        "hamming-tokens": (3, 0),
        "hamming-ngrams": (0, 0),
        "hamming-cfg": (3, 2),  # twice A -> a, thrice; S -> A B S and S -> A A C are not in gold
        "edit": (2, 0, 1),
        "f1": (2, 0, 1),
    }
    assert {name: compression_loss(name, gold).of_rule(target) for name in LOSSES} == wanted
    variable = parse_elementary_tree("S_1")
    assert all(not any(compression_loss(name, gold).of_rule(variable)) for name in LOSSES)


def test_losses_that_there_are_not() -> None:
    with pytest.raises(ValueError, match=r"no loss is called 'bleu': .*hamming-tokens"):
        compression_loss("bleu", TARGET)
    for penalty in (-0.5, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a number from 0 up"):
            compression_loss("edit", TARGET, penalty)
    for factor in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            compression_loss("edit", TARGET, 1.0, factor)
