"""Runs the example of emu/capi/README.md as it stands there: argv = library, README."""

import contextlib
import io
import re
import sys

library, readme = sys.argv[1:]
text = open(readme, encoding="utf-8").read()
example = re.search(r"```python\n(.*?)```", text, re.S).group(1)
expected = re.search(r"```text\n(.*?)```", text, re.S).group(1)
example = example.replace('"libmockgpu.so.1"', repr(library))

printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    exec(compile(example, readme, "exec"), {"__name__": "__main__"})
# Addresses differ from run to run.
same = [re.sub(r"0x[0-9a-f]{9,}", "0x...", words) for words in (printed.getvalue(), expected)]
if same[0] != same[1]:
    sys.exit(f"printed:\n{printed.getvalue()}\nexpected:\n{expected}")
