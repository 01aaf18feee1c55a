"""Bluff on the wire: [[seats, rows], public rows ..., [seat, private ...]] as JSON-like protobuf lists."""

from google.protobuf.message import DecodeError
from google.protobuf.struct_pb2 import ListValue

from ballcourt.engine.core import MalformedRows, Observation, Rows, Wire


class BluffWire(Wire):
    observation_type = "google.protobuf.ListValue"
    action_enum = ""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        return _encode([seats, *row])

    def encode_private(self, seat: int, private: Rows) -> bytes:
        return _encode([seat, *(number for row in private for number in row)])

    def decode(self, data: bytes) -> Observation:
        try:
            lists = [[int(number) for number in row] for row in ListValue.FromString(data)]  # type: ignore[union-attr, arg-type]
        except (DecodeError, TypeError) as error:
            raise MalformedRows(f"these bytes are not an observation of bluff: {error}") from error
        if not all(lists) or len(lists) < 2:
            raise MalformedRows(f"these bytes hold {len(lists)} lists and are not an observation of bluff")
        *public, private = lists
        rows = [private[1:]] if private[1:] else []
        return Observation(private[0], public[0][0], [row[1:] for row in public], rows)


def _encode(row: list[int]) -> bytes:
    message = ListValue()
    message.add_list().extend(row)
    return message.SerializeToString()


WIRE = BluffWire()
