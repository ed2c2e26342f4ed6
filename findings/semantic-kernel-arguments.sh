#!/bin/sh
# semantic-kernel 1.45.0 (PyPI): a parameter of a function that is called `arguments` does not get its value.
#
# Guess: it gets the value that the call gives for it, as a parameter of any other name does.
# Seen (28 November 2026): it gets all arguments of the call, as a KernelArguments object; the value is one level deeper. Beside it,
# the same value for `options` arrives as given. A tool whose schema has a property `arguments` gets a nested copy of its own input.
#
#   {'arguments': ('KernelArguments', {'name': 'n', 'arguments': {'a': 1}}), 'options': ('dict', {'a': 1})}
#
# Needs python3 (3.10 or newer) and pip. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet 'semantic-kernel==1.45.0'

cat > "$folder/run.py" <<'PYTHON'
import asyncio

from semantic_kernel import Kernel
from semantic_kernel.functions import KernelArguments, kernel_function

got = {}


class Plugin:
    @kernel_function(name="with_arguments", description="Keeps what it gets")
    def with_arguments(self, name: str, arguments: dict) -> str:
        got["arguments"] = arguments
        return name

    @kernel_function(name="with_options", description="Keeps what it gets")
    def with_options(self, name: str, options: dict) -> str:
        got["options"] = options
        return name


async def main() -> None:
    kernel = Kernel()
    kernel.add_plugin(Plugin(), "plugin")
    for key in ("arguments", "options"):
        given = KernelArguments(**{"name": "n", key: {"a": 1}})
        await kernel.invoke(plugin_name="plugin", function_name=f"with_{key}", arguments=given)
    print({key: (type(value).__name__, dict(value)) for key, value in got.items()})


asyncio.run(main())
PYTHON

output=$("$folder/venv/bin/python" "$folder/run.py" 2>/dev/null)
echo "$output"
expected="{'arguments': ('KernelArguments', {'name': 'n', 'arguments': {'a': 1}}), 'options': ('dict', {'a': 1})}"
[ "$output" = "$expected" ] || { echo "another behaviour than the one that was seen" >&2; exit 1; }
