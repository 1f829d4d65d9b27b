"""The irregular words of everyday English, written down by us: for the models that come along.

The free lists (``corpora/inflection_lists``) have many times more, and belong to others.
"""

from __future__ import annotations

from wordorder_lab.inflection.english_rules import (
    COMPARATIVE,
    PAST,
    PAST_PARTICIPLE,
    PLURAL,
    SUPERLATIVE,
    THIRD,
)

VERBS = """
arise arose arisen, awake awoke awoken, bear bore borne, beat beat beaten, become became become,
begin began begun, bend bent bent, bet bet bet, bind bound bound, bite bit bitten, bleed bled bled,
blow blew blown, break broke broken, breed bred bred, bring brought brought, build built built,
burst burst burst, buy bought bought, cast cast cast, catch caught caught, choose chose chosen,
cling clung clung, come came come, cost cost cost, creep crept crept, cut cut cut, deal dealt dealt,
dig dug dug, do did done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten,
fall fell fallen, feed fed fed, feel felt felt, fight fought fought, find found found, flee fled
fled, fling flung flung, fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive
forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grind ground
ground, grow grew grown, hang hung hung, have had had, hear heard heard, hide hid hidden, hit hit
hit, hold held held, hurt hurt hurt, keep kept kept, kneel knelt knelt, know knew known, lay laid
laid, lead led led, leave left left, lend lent lent, let let let, light lit lit, lose lost lost,
make made made, mean meant meant, meet met met, overcome overcame overcome, pay paid paid, put put
put, quit quit quit, read read read, rebuild rebuilt rebuilt, rid rid rid, ride rode ridden, ring
rang rung, rise rose risen, run ran run, say said said, see saw seen, seek sought sought, sell sold
sold, send sent sent, set set set, shake shook shaken, shed shed shed, shine shone shone, shoot shot
shot, show showed shown, shrink shrank shrunk, shut shut shut, sing sang sung, sink sank sunk, sit
sat sat, sleep slept slept, slide slid slid, sling slung slung, slit slit slit, speak spoke spoken,
spend spent spent, spin spun spun, split split split, spread spread spread, spring sprang sprung,
stand stood stood, steal stole stolen, stick stuck stuck, sting stung stung, stink stank stunk,
stride strode stridden, strike struck struck, string strung strung, swear swore sworn, sweep swept
swept, swell swelled swollen, swim swam swum, swing swung swung, take took taken, teach taught
taught, tear tore torn, tell told told, think thought thought, throw threw thrown, thrust thrust
thrust, tread trod trodden, undergo underwent undergone, understand understood understood, undertake
undertook undertaken, upset upset upset, wake woke woken, wear wore worn, weave wove woven, weep
wept wept, win won won, wind wound wound, withdraw withdrew withdrawn, withstand withstood
withstood, wring wrung wrung, write wrote written
"""
"""Lemma, past, past participle."""
NOUNS = """
child children, foot feet, tooth teeth, goose geese, mouse mice, louse lice, ox oxen, person people,
life lives, wife wives, knife knives, leaf leaves, shelf shelves, wolf wolves, half halves, loaf
loaves, thief thieves, calf calves, elf elves, self selves, scarf scarves, sheep sheep, fish fish,
deer deer, series series, species species, crisis crises, analysis analyses, basis bases, hypothesis
hypotheses, thesis theses, criterion criteria, phenomenon phenomena
"""
ADJECTIVES = """
good better best, well better best, bad worse worst, far farther farthest, little less least, much
more most, many more most
"""
Forms = dict[str, tuple[str, ...]]


def _rows(text: str) -> list[list[str]]:
    return [row.split() for row in text.split(",")]


def _column(text: str, place: int) -> Forms:
    return {row[0]: (row[place],) for row in _rows(text)}


IRREGULAR: dict[str, Forms] = {
    THIRD: {"have": ("has",)},
    PAST: _column(VERBS, 1),
    PAST_PARTICIPLE: _column(VERBS, 2),
    PLURAL: _column(NOUNS, 1),
    COMPARATIVE: _column(ADJECTIVES, 1),
    SUPERLATIVE: _column(ADJECTIVES, 2),
}
"""Cell -> lemma -> forms, as an ``Inflector`` has its lists."""
