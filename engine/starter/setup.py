"""Generates the protobuf code of the game whenever it is built or installed."""

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithProtobuf(build_py):
    """Runs protoc first, so that no build contains stale code."""

    def run(self) -> None:
        """Generate goofspiel_pb2.py and its type stub next to the .proto file, then build as usual."""
        from grpc_tools import protoc

        if protoc.main(["protoc", "-I.", "--python_out=.", "--pyi_out=.", "goofspiel/goofspiel.proto"]) != 0:
            raise SystemExit("protoc failed; its message is above")
        super().run()


setup(cmdclass={"build_py": BuildWithProtobuf})
