"""The story server with a fifth rule set beside those that ship: `python -m tests.support.fifth_server`."""

from tests.fifth import RULESET
from tests.support.story_server import main
from webapp.rules.games import shipped
from webapp.rules.ruleset import Rulebook

if __name__ in ("__main__", "__mp_main__"):
    main(Rulebook([*shipped().games.values(), RULESET]))
