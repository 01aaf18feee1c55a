"""What pyproject.toml cannot describe: the generated protobuf code, compiled rules, the description with full links.

`BALLCOURT_COMPILE=1 pip install .` compiles the rules, `greedy` and `planner` with mypyc and the vectors with Cython;
both need a C compiler.

The repository keeps `arena`, `bots`, `engine`, `leaderboard` and `proto` at its top level, and `src/ballcourt` holds
relative links to them. Links were chosen over setuptools' `package-dir` mapping, which is known to setuptools alone:
mypy and IDEs follow links, mypyc compiles `ballcourt.engine...` under its real name, and a wheel or sdist gets plain
folders. The folder `src` around it lets an editable install be a plain path, which type checkers of other projects
follow too; for a package at the top level setuptools installs an import hook instead. A checkout also offers
`import engine` to a process that runs in it, which would load each module a second time; each `__init__.py` refuses it.
"""

import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "ballcourt"
COMPILED = PACKAGE / "compiled"
"""Compiled copies of bots' files: in the bot's own folder they would be part of its content."""
REPOSITORY = "https://github.com/ballcourt/ballcourt/blob/main/"
LONGEST_TARGET = 100
COMPILE = os.environ.get("BALLCOURT_COMPILE") == "1"


def restore_links() -> None:
    """Make links of the text files that a ZIP, or a checkout without core.symlinks, has in place of them."""
    for path in PACKAGE.iterdir():
        if not path.is_file() or path.is_symlink() or path.stat().st_size > LONGEST_TARGET:
            continue
        target = path.read_text(encoding="utf-8").strip()
        if not re.fullmatch(r"\.\./\.\./[\w/.]+", target):
            continue
        path.unlink()
        try:
            path.symlink_to(target)
        except OSError as error:
            path.write_text(target, encoding="utf-8")
            raise SystemExit(
                f"{path} must be a link to {target}, which this file system refuses ({error.strerror}); "
                "unpack or check out the repository on one that has symbolic links"
            ) from error


def generate_protobuf() -> None:
    """Write `*_pb2.py` and `*_pb2.pyi` next to every .proto file."""
    from grpc_tools import protoc

    sources = sorted(str(path.relative_to(SOURCE)) for path in (PACKAGE / "v1").glob("*.proto"))
    arguments = ["protoc", f"-I{SOURCE}", f"--python_out={SOURCE}", f"--pyi_out={SOURCE}", *sources]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed; its message is above")


class BuildWithProtobuf(build_py):
    """Generates the protobuf code before the modules are collected, so that no build contains stale code."""

    def run(self) -> None:
        """Generate, then build as usual."""
        generate_protobuf()
        super().run()


def long_description() -> str:
    """Return the README with links that work outside the repository."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\1{REPOSITORY.replace('/blob/', '/raw/')}", readme)
    return re.sub(r"\]\((?!\w+:|#)", f"]({REPOSITORY}", readme)


def compiled_modules() -> list[Extension]:
    """Return the modules to compile; none unless `BALLCOURT_COMPILE=1`."""
    # the compilers are missing while the frontend asks for requirements; build_backend.py adds them
    if not (COMPILE and find_spec("Cython") and find_spec("mypyc")):
        return []
    return [*rules(), *vectors()]


def rules() -> list[Extension]:
    """Return the rules and the core of all games, and what greedy and planner search with, as extensions of mypyc."""
    from mypyc.build import mypycify

    games = PACKAGE / "engine" / "games"
    interpreted = {"features.py", "wire.py", "__init__.py"}
    hot = [path for path in games.glob("*/**/*.py") if path.name not in interpreted and path.parent.name != "view"]
    names = ("bits.py", "chance.py", "frames.py", "state.py", "stepping.py")
    units = {"engine.rules_core": [PACKAGE / "engine" / "core" / name for name in names]}
    for path in sorted(hot):
        units.setdefault(f"engine.rules_{path.relative_to(games).parts[0]}", []).append(path)
    units |= {f"compiled.{bot}_unit": copied(bot) for bot in ("greedy", "planner")}
    # The modules of a unit share a library, which is compiled beside those of other units. Its name puts it into the
    # package; by default it would be a second top-level name.
    separate = [
        ([str(path.relative_to(ROOT)) for path in paths], f"ballcourt.{library}") for library, paths in units.items()
    ]
    # ballcourt/__init__.py leads mypy to the SDK, whose generated code does not exist yet
    quiet = "--follow-imports=silent"
    return list(mypycify([quiet, *(path for paths, _ in separate for path in paths)], separate=separate))


def copied(bot: str) -> list[Path]:
    """Copy the files that a bot imports to where they are compiled; return the copies."""
    folder = COMPILED / bot
    folder.mkdir(parents=True)
    for package in (COMPILED, folder):
        (package / "__init__.py").touch()
    files = sorted(path for path in (PACKAGE / "bots" / bot).glob("*.py") if path.name != "bot.py")
    return [Path(shutil.copy(path, folder)) for path in files]


def vectors() -> list[Extension]:
    """Return what writes vectors and masks as extensions of Cython: mypyc has no arrays of float32."""
    from Cython.Build import cythonize

    folder = (PACKAGE / "engine" / "core" / "vectors").relative_to(ROOT)
    # the .pxd files tell the types, as annotations of Python mean objects
    directives = {"annotation_typing": False, "wraparound": False}
    extensions = [
        Extension(f"ballcourt.engine.core.vectors.{name}", [str(folder / f"{name}.py")])
        for name in ("elements", "looks", "masks")
    ]
    return list(cythonize(extensions, build_dir="build", compiler_directives=directives))


restore_links()
shutil.rmtree(COMPILED, ignore_errors=True)
setup(
    cmdclass={"build_py": BuildWithProtobuf},
    ext_modules=compiled_modules(),
    options={"build_ext": {"parallel": True}},
    long_description=long_description(),
    long_description_content_type="text/markdown",
)
