"""Configurations are read strictly; an error names file and key."""

import ast
from pathlib import Path

import msgspec
import pytest

from configs import FOLDER
from planner.config import ConfigError, PlannerConfig, nested
from rollouts.horizon import HORIZON_TERMS
from scoring.config import Settings
from scoring.priors import PRIOR_COLUMNS

ROOT = Path(__file__).resolve().parents[2]
PRESETS = sorted(
    str(path.relative_to(FOLDER).with_suffix(""))
    for path in (*FOLDER.glob("*.toml"), *FOLDER.glob("seeds/*.toml"))
)


@pytest.fixture
def write(tmp_path):
    def write(text, name="own.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refused(path):
    """Return the error that loading raises, which must name the file."""
    with pytest.raises(ConfigError) as raised:
        PlannerConfig.load(path)
    message = str(raised.value)
    assert str(path) in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_loads(name):
    config = PlannerConfig.load(name)
    assert config.track
    assert config == PlannerConfig.load(FOLDER / f"{name}.toml")


def test_the_two_tracks():
    robust, wildcard = PlannerConfig.load("robust"), PlannerConfig.load("wildcard")
    assert (robust.track, wildcard.track) == ("robust", "wildcard")
    assert (robust.questions.other, wildcard.questions.other) == (False, True)
    assert robust.scoring.shopper.class_rule == "words"


class TestBase:
    def test_tables_are_laid_over_the_base(self, write):
        config = PlannerConfig.load(write('base = "robust"\ntrack = "own"\n[rollouts]\nseed = 7\n'))
        robust = PlannerConfig.load("robust")
        assert config == msgspec.structs.replace(
            robust, track="own", rollouts=msgspec.structs.replace(robust.rollouts, seed=7)
        )

    def test_a_base_by_path_is_found_from_the_files_own_folder(self, write, monkeypatch):
        write((FOLDER / "robust.toml").read_text().replace("seed = 0", "seed = 3"), "below.toml")
        path = write('base = "below.toml"')
        monkeypatch.chdir("/")
        assert PlannerConfig.load(path).rollouts.seed == 3

    def test_a_base_of_itself(self, write):
        assert "that is not based on itself - at `$.base`" in refused(write('base = "own.toml"'))

    def test_a_cycle(self, write):
        write('base = "own.toml"', "other.toml")
        assert "that is not based on itself - at `$.base`" in refused(write('base = "other.toml"'))

    def test_a_base_may_have_a_base(self, write):
        write('base = "robust"\ntrack = "middle"\n[rollouts]\nseed = 5\ndepth = 1\n', "middle.toml")
        config = PlannerConfig.load(write('base = "middle.toml"\n[rollouts]\nseed = 7\n'))
        robust = PlannerConfig.load("robust")
        assert config == msgspec.structs.replace(
            robust, track="middle", rollouts=msgspec.structs.replace(robust.rollouts, seed=7, depth=1)
        )

    def test_tables_that_are_no_file(self, write):
        path = write('base = "robust"\n[rollouts]\nseed = 7\n')
        assert PlannerConfig.of({"base": "robust", "rollouts": {"seed": 7}}) == PlannerConfig.load(path)
        with pytest.raises(ConfigError, match=r"mine: .*`\$\.rollouts\.seed`"):
            PlannerConfig.of({"base": "robust", "rollouts": {"seed": -7}}, "mine")

    def test_a_base_that_is_not_there(self, write):
        message = refused(write('base = "nowhere"'))
        assert "nowhere.toml: no such configuration" in message
        assert message.endswith("- at `$.base`")

    def test_a_base_that_is_no_name(self, write):
        assert refused(write("base = 3")).endswith("Expected `str`, got `int` - at `$.base`")

    def test_single_values_are_changed_by_name(self):
        robust = PlannerConfig.load("robust")
        changed = robust.changed({"scoring.posterior.floor": 0.3, "scoring.posterior.temperature": 2.0})
        assert (changed.scoring.posterior.floor, changed.scoring.posterior.temperature) == (0.3, 2.0)
        assert changed.changed({"scoring.posterior": robust.tables()["scoring"]["posterior"]}) == robust
        with pytest.raises(ConfigError, match="unknown field `roof`"):
            robust.changed({"scoring.posterior.roof": 1})
        assert nested({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "key", "words"),
        [
            ("[scoring.prior]\nstrenght = 1.0", "$.scoring.prior", "unknown field `strenght`"),
            ("speed = 1", "", "unknown field `speed`"),
            ('[rollouts]\nbudget = "many"', "$.rollouts.budget", "Expected `int`, got `str`"),
            ("[rollouts]\nbudget = 1.5", "$.rollouts.budget", "Expected `int`, got `float`"),
            ("[rollouts]\nbudget = 0", "$.rollouts.budget", "Expected `int` >= 1"),
            ("[rollouts]\npages = []", "$.rollouts.pages", "length >= 1"),
            ("[rollouts]\npages = [1, 11]", "$.rollouts.pages[1]", "Expected `int` <= 10"),
            ("[questions]\nother = 1", "$.questions.other", "Expected `bool`, got `int`"),
            ("[scoring.posterior]\nfloor = 1.5", "$.scoring.posterior.floor", "<= 1.0"),
            ("[scoring.posterior]\ntemperature = 0.0", "$.scoring.posterior.temperature", "> 0.0"),
            ("[scoring.prior]\nrating = nan", "$.scoring.prior.rating", "finite number"),
            ("[scoring.shopper]\nsilent = -inf", "$.scoring.shopper.silent", "finite number"),
            ('[scoring.shopper]\nclass_rule = "letters"', "$.scoring.shopper.class_rule", "letters"),
            ("scoring = 3", "$.scoring", "Expected `object`, got `int`"),
        ],
    )
    def test_a_bad_key_is_named(self, write, text, key, words):
        top, _, tables = text.partition("\n[") if not text.startswith("[") else ("", "", text)
        message = refused(write(f'base = "robust"\n{top}\n{tables}'))
        assert words in message
        assert key in message

    @pytest.mark.parametrize(
        ("line", "key"),
        [("seed = 0", "$.rollouts"), ("remembered = 10000", "$.sessions"), ('track = "robust"', "track")],
    )
    def test_a_missing_key_is_named(self, write, line, key):
        whole = (FOLDER / "robust.toml").read_text(encoding="utf-8")
        assert whole.count(line) == 1
        message = refused(write(whole.replace(line, "")))
        assert f"missing required field `{line.split()[0]}`" in message
        assert key in message

    def test_no_toml(self, write):
        message = refused(write("[rollouts\nseed = 1"))
        assert "not TOML" in message
        assert "line 1" in message

    def test_no_text(self, tmp_path):
        path = tmp_path / "bytes.toml"
        path.write_bytes(b"\xff\xfe\x00")
        assert "not TOML" in refused(path)

    def test_no_file(self, tmp_path):
        message = refused(tmp_path / "none.toml")
        assert "no such configuration; presets are " in message
        assert "robust" in message
        assert "catalogs" not in message.split("presets are")[1]

    def test_a_folder(self, tmp_path):
        (tmp_path / "folder.toml").mkdir()
        assert "no such configuration" in refused(tmp_path / "folder.toml")

    def test_no_preset_of_that_name(self):
        with pytest.raises(ConfigError, match=r"robusst\.toml: no such configuration"):
            PlannerConfig.load("robusst")


def settings_fields(kind):
    """Yield every key below a settings class, sections aside."""
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, Settings):
            yield from settings_fields(field.type)
        else:
            yield field.name


def test_every_key_is_read_by_the_code():
    sources = [path for room in ("scoring", "rollouts", "planner") for path in (ROOT / room).glob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources if path.stem != "config"]
    read = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    # prior and horizon take their weights by the names of their terms; track and fitted_for are for reports
    keys = set(settings_fields(PlannerConfig))
    assert "strength" in keys
    assert keys - read - {*PRIOR_COLUMNS, *HORIZON_TERMS, "track", "fitted_for"} == set()


@pytest.mark.parametrize("name", ["robust", "wildcard"])
def test_the_horizon_was_fitted_to_the_play_of_this_very_preset(name):
    """Where this fails, a setting has changed since: ``make fit TRACK=...`` gives the weights anew."""
    config = PlannerConfig.load(name)
    assert config.horizon_is_current, f"{name} is {config.version} now"
    assert not config.changed({"scoring.posterior.temperature": 3.0}).horizon_is_current
