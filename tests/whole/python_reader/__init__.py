# SPDX-License-Identifier: BSL-1.0
"""python_reader: docs/format.md as a program: the whole state from its schema and tensors, without the library. The tests' oracle."""
