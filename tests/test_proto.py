"""The generated protobuf code is up to date, and the games use the enums of the .proto files."""

import importlib
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

from ballcourt.engine.registry import games

SOURCE = Path(__file__).parents[1] / "src"
SOURCES = sorted(path.relative_to(SOURCE).as_posix() for path in (SOURCE / "ballcourt" / "v1").glob("*.proto"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileDescriptorProto]:
    """Return the code generated from the current .proto files, by name."""
    output = tmp_path_factory.mktemp("proto") / "descriptors"
    assert protoc.main(["protoc", f"-I{SOURCE}", f"--descriptor_set_out={output}", *SOURCES]) == 0
    return {file.name: file for file in FileDescriptorSet.FromString(output.read_bytes()).file}


@pytest.mark.parametrize("source", SOURCES)
def test_the_generated_code_is_up_to_date(source: str, compiled: dict[str, FileDescriptorProto]) -> None:
    module = importlib.import_module(source.replace("/", ".").removesuffix(".proto") + "_pb2")
    generated = FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb)
    expected = FileDescriptorProto()
    expected.CopyFrom(compiled[source])
    for file in (generated, expected):
        for message in file.message_type:
            _forget_json_names(message)
    assert generated == expected, f"{source} was changed after the install: run `make test` or install again"


def _forget_json_names(message: DescriptorProto) -> None:
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        _forget_json_names(nested)


@pytest.mark.parametrize("name", games())
def test_the_actions_of_a_game_are_the_values_of_its_enum(name: str, compiled: dict[str, FileDescriptorProto]) -> None:
    game = games()[name]
    package, _, short = game.wire().action_enum.rpartition(".")
    enums = {f"{file.package}.{enum.name}": enum for file in compiled.values() for enum in file.enum_type}
    values = {value.number: value.name for value in enums[f"{package}.{short}"].value}
    prefix = "".join(f"_{letter}" if letter.isupper() else letter for letter in short).strip("_").upper()
    assert values == {action: f"{prefix}_{word}" for action, word in enumerate(game.action_names)}
