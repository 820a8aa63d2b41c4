import subprocess
import sys
from pathlib import Path

import pytest

from experiments.plugin import PluginError, write_plugin

ROOT = Path(__file__).resolve().parents[2]


def test_writes_a_package_and_writes_it_anew(tmp_path):
    target = write_plugin(tmp_path)
    assert target == tmp_path / "starter" / "agent.py"
    assert (tmp_path / "starter" / "__init__.py").read_text() == ""
    assert repr(str(ROOT)) in target.read_text()
    assert write_plugin(tmp_path) == target


def test_a_file_of_other_origin_is_kept_unless_forced(tmp_path):
    target = tmp_path / "starter" / "agent.py"
    target.parent.mkdir()
    target.write_text("class Agent: ...\n")
    with pytest.raises(PluginError, match=r"was not written by this command; --force replaces it"):
        write_plugin(tmp_path)
    assert target.read_text() == "class Agent: ...\n"
    write_plugin(tmp_path, force=True)
    assert "planner" in target.read_text()


def test_other_files_of_the_kit_stay(tmp_path):
    package = tmp_path / "starter"
    package.mkdir()
    (package / "__init__.py").write_text("# the kit's\n")
    write_plugin(tmp_path)
    assert (package / "__init__.py").read_text() == "# the kit's\n"


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(PluginError, match="no such folder"):
        write_plugin(tmp_path / "none")


@pytest.mark.parametrize("installed", [True, False])
def test_the_kit_imports_the_agent_from_any_folder(tmp_path, installed):
    kit, elsewhere = tmp_path / "kit", tmp_path / "elsewhere"
    kit.mkdir()
    elsewhere.mkdir()
    write_plugin(kit)
    forget = (
        f"sys.path[:] = [p for p in sys.path if p != {str(ROOT)!r}]; sys.meta_path[:] = ["
        "f for f in sys.meta_path if '__editable__' not in repr(f)];"
    )
    code = (
        f"import sys; {'' if installed else forget} sys.path.insert(0, {str(kit)!r}); "
        "from starter.agent import Agent; print(Agent.__module__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=elsewhere, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "planner.agent", done.stderr
