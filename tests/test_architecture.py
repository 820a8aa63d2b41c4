"""The rooms of the house, their one-way doors, and the wall between the agent and the sample file."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import orjson
import pytest
from hatchling.builders.wheel import WheelBuilder

from experiments.running import provenance

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("index", "scoring", "rollouts", "planner")
MAY_IMPORT = {
    "configs": set(),
    "index": {"configs"},
    "scoring": {"index"},
    "rollouts": {"index", "scoring"},
    "planner": {"configs", "index", "scoring", "rollouts"},
}
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
MODULES = sorted(path for room in MAY_IMPORT for path in (ROOT / room).rglob("*.py"))


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(path):
    """Return the top-level packages that a module imports, wherever the import stands."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(path.relative_to(ROOT).parts[0] if node.level else node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    room = path.relative_to(ROOT).parts[0]
    ours = imported(path) & {*PACKAGES, "tests"}
    assert ours - {room} <= MAY_IMPORT[room]


class TestTheExperiments:
    """Inside ``experiments`` too a package imports only those above it in the table of ARCHITECTURE.md."""

    ORDER = (
        ("errors",),
        ("generator",),
        ("customers",),
        ("perturbations", "metrics"),
        ("benchmark", "baselines", "oracle"),
        ("running",),
        ("reports",),
        ("studies",),
        ("live", "plugin"),
        ("commands",),
    )

    def test_every_package_has_its_place(self):
        folder = ROOT / "experiments"
        found = {path.parent.name for path in folder.glob("*/__init__.py")}
        found |= {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}
        assert found == {name for names in self.ORDER for name in names}

    @pytest.mark.parametrize(
        ("level", "package"), [(i, name) for i, names in enumerate(ORDER) for name in names]
    )
    def test_imports_go_up_only(self, level, package):
        allowed = {package, *(name for names in self.ORDER[:level] for name in names)}
        folder = ROOT / "experiments"
        for path in (*folder.glob(f"{package}.py"), *(folder / package).rglob("*.py")):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("experiments"):
                    other = (*node.module.split("."), node.names[0].name)[1]
                    assert other in allowed, f"{path} imports {node.module}"


class TestTheServer:
    """The API uses the agent's side alone; the pages know recorded runs and the simulated customer too."""

    PAGES = ("__main__.py", "pages.py", "runs.py")

    @pytest.mark.parametrize("path", sorted((ROOT / "server").glob("*.py")), ids=lambda path: path.name)
    def test_what_the_server_imports(self, path):
        allowed = {*MAY_IMPORT, "server"} | ({"experiments"} if path.name in self.PAGES else set())
        assert imported(path) & {*PACKAGES, "tests"} <= allowed

    def test_nothing_imports_the_server(self):
        for package in (*MAY_IMPORT, "experiments"):
            for path in (ROOT / package).rglob("*.py"):
                assert "server" not in imported(path), path

    def test_every_template_and_static_file_is_in_the_package(self):
        names = {path.name for path in (ROOT / "server").rglob("*.*") if path.suffix not in (".py", ".pyc")}
        assert {"base.html", "_turn.html", "style.css", "keys.js"} <= names


class TestTheWall:
    """Nothing on the agent's side knows of the sample file, its targets or its labels."""

    WORDS = ("ground_truth", "ground truth", "sample_id", "scenario_type", "public_set", "sessions.jsonl")
    READING = frozenset(
        ("open", "read_bytes", "read_text", "fromfile", "memmap", "memory_map", "read_csv", "read_table")
    )
    READERS = ("index/", "planner/config.py")

    @pytest.mark.parametrize("room", ROOMS)
    def test_no_word_of_the_sample_file(self, room):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8").lower()
            assert [word for word in self.WORDS if word in text] == [], path

    def test_files_are_read_by_the_index_and_the_configuration_only(self):
        reading = set()
        for path in MODULES:
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", None))
                    if name in self.READING and ast.unparse(node.func) != "Catalog.open":
                        reading.add(str(path.relative_to(ROOT)))
        assert "planner/config.py" in reading
        assert {path for path in reading if not path.startswith(self.READERS)} == set()

    def test_the_agent_opens_the_catalog_its_index_and_its_configuration_and_nothing_more(
        self, catalog_file, tmp_path
    ):
        """The stored index comes from the catalog alone: at the first start there is none."""
        script = (
            "import sys, orjson\n"
            "from planner.agent import Agent\n"
            "opened = []\n"
            "sys.addaudithook(lambda event, args: event == 'open' and opened.append(str(args[0])))\n"
            "def since():\n"
            "    seen = sorted(set(opened)); opened.clear(); return seen\n"
            "agent = Agent(sys.argv[1], cache=sys.argv[2])\n"
            "phases = [since()]\n"
            "for session in ('first', 'second'):\n"
            "    agent.reset(session)\n"
            "    for turn in range(1, 11):\n"
            "        agent.respond(session, 'a soft wool scarf', turn, 10)\n"
            "    phases.append(since())\n"
            "sys.stdout.buffer.write(orjson.dumps([agent.catalog.origin.loaded, *phases]))\n"
        )
        configs = {str(path) for path in (ROOT / "configs").rglob("*.toml")}
        for start in ("first", "second"):
            done = subprocess.run(
                [sys.executable, "-c", script, str(catalog_file), str(tmp_path)],
                cwd=ROOT,
                capture_output=True,
                check=True,
            )
            loaded, construction, first, second = orjson.loads(done.stdout)
            assert loaded == (start == "second")
            files = {path for path in construction if not is_code(path) and path not in configs}
            others = {path for path in files if not path.startswith(f"{tmp_path}/")}
            assert others == {str(catalog_file)} or (loaded and not others)
            assert [path for path in first if not is_code(path)] == []
            assert second == []


def is_code(path):
    """Return whether a file is code of the interpreter, of a library or of ours, or compiled from it."""
    return "__pycache__" in path or path.startswith((sys.prefix, sys.base_prefix)) or path.endswith(".py")


class TestPackages:
    def test_every_package_is_in_the_wheel(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
        assert sorted(wheel) == PACKAGES == sorted((*MAY_IMPORT, "experiments", "server"))
        assert sorted(project["tool"]["mypy"]["packages"]) == PACKAGES

    def test_the_wheel_holds_every_file_of_the_packages(self):
        builder = WheelBuilder(str(ROOT))
        held = {file.distribution_path for file in builder.recurse_included_files()}
        kept = {
            path.relative_to(ROOT).as_posix()
            for package in PACKAGES
            for path in (ROOT / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert held == kept
        assert {"configs/robust.toml", "configs/language/cues.toml", "server/templates/base.html"} <= held
        assert {"server/static/style.css", "experiments/customers/sessions.toml"} <= held

    def test_reports_name_versions_of_packages_that_are_installed_with_the_project(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        needed = {re.split("[<>=]", text)[0] for text in project["dependencies"]}
        assert set(provenance.PACKAGES) - {project["name"]} <= needed

    @pytest.mark.parametrize("name", PACKAGES)
    def test_every_package_comes_from_the_repository_root(self, name):
        assert Path(importlib.import_module(name).__file__).parent == ROOT / name

    def test_tests_mirror_the_rooms(self):
        mirrored = {
            path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name in PACKAGES
        }
        assert mirrored >= set(ROOMS)
