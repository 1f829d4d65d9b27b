"""What the gallery has to play with: three searches in a race, and a search that you steer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from wordorder_lab.analysis.gold_survival import with_gold
from wordorder_lab.commands.gallery.pages import BEAM, LIMIT, Page, Watched, easy_one
from wordorder_lab.exploring.race import race
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel


def game_pages(
    model: LinearizationModel,
    best_first: DependencyModel,
    watched: Sequence[Watched],
    arguments: Namespace,
) -> list[Page]:
    """A race on a sentence that is found, and the same sentence to be ordered by hand."""
    shown = easy_one(watched)
    sentence = shown.sentence
    bag = bag_of(sentence, seed=arguments.seed)
    wide = f"beam {arguments.beam}"
    run = race(
        {"beam 1": model, wide: model, "best-first": best_first},
        bag,
        gold=sentence,
        search=[{"beam": 1}, {"beam": arguments.beam}, {"expansions": LIMIT}],
        engine=arguments.engine,
        timed=False,  # a page is the same from run to run, and milliseconds are not
        title="Which search is there first?",
    )
    return [
        Page(
            "race.html",
            BEAM,
            run.title,
            "Three searches on one bag and one clock of expansions: the best output of each as it "
            "comes, and who ends when.",
            4,
            "lattice",
            shown.greedy.log,
            shown.wide.log,
            how=f"beam 1, {wide}, best-first with at most {LIMIT} expansions",
            race=run,
        ),
        Page(
            "you-are-the-decoder.html",
            BEAM,
            "Can you order words as well as the model?",
            "You choose each action of a search; then the model’s score and rank of your choice "
            "are shown, and gold’s.",
            8,
            "lattice",
            with_gold(model, shown.wide.log, bag, sentence, arguments.seed),
            view="decoder",
            how=wide,
        ),
    ]
