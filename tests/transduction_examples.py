"""What Cohn & Lapata (2009) print: trees, rules, rewrites, losses and features, as data.

Their S with a bar is ``S-bar``. Where a printed value does not follow from the definitions, what
does is here, and a comment has the printed one.
"""

from __future__ import annotations

from nltk.tree import Tree

from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.synchronous_rule import ElementaryTree, Tokens, read_tree


def brackets(text: str) -> Tree:
    return Tree.fromstring(text, brackets="[]")


def parse_elementary_tree(text: str) -> ElementaryTree:
    """The elementary tree of a text."""
    tokens = Tokens(text)
    tree = read_tree(tokens)
    tokens.end()
    assert not isinstance(tree, str)
    return tree


# The tag of "which" is that of equation 3.
SOURCE = brackets(
    "[S [S-bar [WHNP [RB exactly] [WP what]] [S [NP [NNS records]] [VP [VBD made] [NP [PRP it]]]]]"
    " [CC and] [S-bar [WHNP [WP which]] [S [NP [NNS ones]] [VP [VBP are] [VP [VBN involved]]]]]]"
)
TARGET = brackets("[S [WHNP [WP what]] [S [NP [NNS records]] [VP [VBP are] [VP [VBN involved]]]]]")
FIGURE_6 = CompressionPair(SOURCE, (TARGET,), ((1, 0), (2, 1), (8, 2), (9, 3)), "figure-6")

# The rectangles of Figure 6 by their words and labels, read off equation 2. The figure is an image.
CONSTITUENTS = """
    S:exactly-involved  S:what-involved
    WHNP:exactly-what   WHNP:what           WHNP:exactly-what   WP:what
    WP:what             WHNP:what           WP:what             WP:what
    S:records-it        NP:records          S:records-it        NNS:records
    NP:records          NP:records          NP:records          NNS:records
    NNS:records         NP:records          NNS:records         NNS:records
    S-bar:which-involved VP:are-involved    S:ones-involved     VP:are-involved
    VP:are-involved     VP:are-involved     VBP:are             VBP:are
    VP:involved         VP:involved         VP:involved         VBN:involved
    VBN:involved        VP:involved         VBN:involved        VBN:involved
"""
FIGURE_3 = [
    "<WHNP, WHNP> -> <[WHNP RB_eps WP_1], [WHNP WP_1]>",
    "<S, NP> -> <[S NP_1 VP_eps], NP_1>",
    "<S, VP> -> <[S NP_eps VP_1], VP_1>",
    "<S-bar, VP> -> <[S-bar WHNP_eps S_1], VP_1>",
    "<S, S> -> <[S [S-bar WHNP_1 S_2] [CC and] S-bar_3], [S WHNP_1 [S NP_2 VP_3]]>",
    "<WP, WP> -> <[WP what], [WP what]>",
    "<NP, NP> -> <[NP NNS_1], [NP NNS_1]>",
    "<NNS, NNS> -> <[NNS records], [NNS records]>",
    "<VP, VP> -> <[VP VBP_1 VP_2], [VP VBP_1 VP_2]>",
    "<VBP, VBP> -> <[VBP are], [VBP are]>",
    "<VP, VP> -> <[VP VBN_1], [VP VBN_1]>",
    "<VBN, VBN> -> <[VBN involved], [VBN involved]>",
]

_WHAT = "[S [WHNP [WP what]] [S"
_RECORDS = f"{_WHAT} [NP [NNS records]]"
_S = "[S/NP [NP [NNS records]] [VP [VBD made] [NP [PRP it]]]]"
_S_BAR = "[S-bar/VP [WHNP [WP which]] [S [NP [NNS ones]] [VP [VBP are] [VP [VBN involved]]]]]"

# The rules of a rewrite, and the line that it gives; nodes that the figure omits are filled in. The
# first line, [S/S ...], is the source tree. Rules 2 and 7 share a line: eleven rewrites.
FIGURE_4 = [
    ((5,), f"[S [WHNP/WHNP [RB exactly] [WP what]] [S {_S} {_S_BAR}]]"),
    ((1,), f"[S [WHNP [WP/WP what]] [S {_S} {_S_BAR}]]"),
    ((6,), f"{_WHAT} {_S} {_S_BAR}]]"),
    ((2, 7), f"{_WHAT} [NP [NNS/NNS records]] {_S_BAR}]]"),
    ((8,), f"{_RECORDS} {_S_BAR}]]"),
    ((4,), f"{_RECORDS} [S/VP [NP [NNS ones]] [VP [VBP are] [VP [VBN involved]]]]]]"),
    ((3,), f"{_RECORDS} [VP/VP [VBP are] [VP [VBN involved]]]]]"),  # printed: [VP/VP [VP ...]]
    ((9,), f"{_RECORDS} [VP [VBP/VBP are] [VP/VP [VBN involved]]]]]"),
    ((10,), f"{_RECORDS} [VP [VBP are] [VP/VP [VBN involved]]]]]"),
    ((11,), f"{_RECORDS} [VP [VBP are] [VP [VBN/VBN involved]]]]]"),
    ((12,), f"{_RECORDS} [VP [VBP are] [VP [VBN involved]]]]]"),
]
FIGURE_7 = {
    # printed: [S WHNP_1 [S NP_2 VP_3]] without the inner [S NP_2
    "<S, S> -> <[S [S-bar WHNP_1 S_2] CC_eps S-bar_3], [S WHNP_1 [S NP_2 VP_3]]>",
    "<WHNP, WHNP> -> <[WHNP RB_eps WP_1], [WHNP WP_1]>",
    "<WP, WP> -> <[WP what], [WP what]>",
    "<S, NP> -> <[S NP_1 VP_eps], NP_1>",
    "<NP, NP> -> <[NP NNS_1], [NP NNS_1]>",
    "<NNS, NNS> -> <[NNS records], [NNS records]>",
    "<S-bar, VP> -> <[S-bar WHNP_eps S_1], VP_1>",
    "<S, VP> -> <[S NP_eps VP_1], VP_1>",
    "<VP, VP> -> <[VP VBP_1 VP_2], [VP VBP_1 VP_2]>",  # printed target: [VP VBP_1]
    "<VBP, VBP> -> <[VBP are], [VBP are]>",  # not printed
    "<VP, VP> -> <[VP VBN_1], [VP VBN_1]>",
    "<VBN, VBN> -> <[VBN involved], [VBN involved]>",
}

# The rules of the pair (S-bar, VP) that a recursion depth adds.
BY_DEPTH = {
    0: {"<S-bar, VP> -> <[S-bar WHNP_eps S_1], VP_1>"},  # equation 4
    1: {
        "<S-bar, VP> -> <[S-bar [WHNP WP_eps] S_1], VP_1>",
        "<S-bar, VP> -> <[S-bar WHNP_eps [S NP_eps VP_1]], VP_1>",
    },
    2: {
        "<S-bar, VP> -> <[S-bar [WHNP [WP which]] S_1], VP_1>",
        # printed: [WHNP [WP which]], which ignores three matches
        "<S-bar, VP> -> <[S-bar [WHNP WP_eps] [S NP_eps VP_1]], VP_1>",
        "<S-bar, VP> -> <[S-bar WHNP_eps [S [NP NNS_eps] VP_1]], VP_1>",
        # printed: VBD_1 in the source, [VBD_1 VBD_2] as the target
        "<S-bar, VP> -> <[S-bar WHNP_eps [S NP_eps [VP VBP_1 VP_2]]], [VP VBP_1 VP_2]>",
    },
}
ALL_DEPTHS = 66
"""Of that pair; printed: 45."""
EQUATION_3 = (
    "<S-bar, VP> -> <[S-bar [WHNP [WP which]] [S [NP [NNS ones]] [VP [VBP are] [VP [VBN "
    "involved]]]]], [VP [VBP are] [VP [VBN involved]]]>"
)
COPY = "<NP, NP> -> <[NP DT_1 JJ_2 NN_3], [NP DT_1 JJ_2 NN_3]>"
DELETIONS = [
    "<NP, NP> -> <[NP DT_eps JJ_eps NN_1], [NP NN_1]>",
    "<NP, NN> -> <[NP DT_eps JJ_eps NN_1], NN_1>",
    "<NP, NP> -> <[NP DT_1 JJ_eps NN_2], [NP DT_1 NN_2]>",
    COPY,
]
PREDICTED = brackets("[S [WHNP [WP what]] [S [NP [NNS ones]] [VP [VBP are] [VBN involved]]]]")
FLAT_TARGET = brackets("[S [WHNP [WP what]] [S [NP [NNS records]] [VP [VBP are] [VBN involved]]]]")
"""The reference whose verb phrase is as flat as that of the output."""

# Loss -> its arguments for PREDICTED against TARGET, the value by equations 12 to 14, and the same
# divided by the number of items of the output, as Hamming losses are printed.
TABLE_1 = {
    "hamming-tokens": ((3, 1), 1, 1 / 4),
    "hamming-ngrams": ((8, 6), 6, 6 / 14),  # printed: TP 8, FP 5, 5/14
    "hamming-cfg": ((7, 2), 3, 3 / 9),  # printed: TP 8, FP 1, 1/9, FLAT_TARGET's
    "edit": ((1, 0, 1, 1, 1), 2, None),
    "f1": ((1, 0, 1, 1, 1), 1 / 4, None),
}
TABLE_2_RULE = "<NP, NNS> -> <[NP CD_eps ADJP_eps [NNS activists]], [NNS activists]>"
# The numbers of terminals are not printed in our text. That of the source depends on the tree.
TABLE_2 = {
    "Type: extracted": 1,  # printed: training set
    "Root: X = NP": 1,
    "Root: Y = NNS": 1,
    "Root: X = NP ∧ Y = NNS": 1,
    "Identity: α = [NP CD ADJP [NNS activists]]": 1,
    "Identity: γ = [NNS activists]": 1,
    "Identity: α = [NP CD_eps ADJP_eps [NNS activists]] ∧ γ = [NNS activists]": 1,
    "UnlexId: unlex. α = [NP CD ADJP NNS]": 1,
    "UnlexId: unlex. γ = NNS": 1,
    "UnlexId: unlex. α = [NP CD_eps ADJP_eps NNS] ∧ γ = NNS": 1,
    "Rule count: 1": 1,
    "Word count: target terminals": 1,
    "Yield: terminals source = [activists] ∧ target = [activists]": 1,
    "Yield: terminal activists in both source and target": 1,
    "Yield: non-terminals source = [CD, ADJP, NNS] ∧ target = [NNS]": 1,
    "Yield: non-terminal CD in source and not target": 1,
    "Yield: non-terminal ADJP in source and not target": 1,
    "Yield: non-terminal NNS in both source and target": 1,
    "Length: difference in length": 2,
    "Length: target shorter": 1,
}
