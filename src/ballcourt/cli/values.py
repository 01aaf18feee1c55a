"""Takes strings of the command line as they are. Typer lets pydantic convert them, whose import takes 0.1 s."""

from typing import Any


class Words:
    """Stands in for the conversion of a parameter; leaves everything but plain strings to typer."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as typer calls it
        """Return the value of a parameter. Raises typer.BadParameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        kind = param.type_descriptor
        if kind.parameter_info.parser is None:
            if kind.annotation is str and isinstance(value, str):
                return value
            if kind.annotation == list[str] and isinstance(value, list | tuple):
                return [*value]
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def convert_quickly(command: Any, context: Any) -> None:  # noqa: ANN401 - a command or group of typer
    """Have a command take strings as they are, without pydantic; typer has no public way to say so."""
    for parameter in command.get_params(context):
        parameter._runtime_param = Words()
