"""What of a source file decides how it runs: all but comments, docstrings and empty lines."""

import ast
import tokenize
from io import StringIO


def code_of(source):
    """Leave out of a Python source what only readers see.

    By places in the text, so that the result does not depend on the version of Python.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
        The lines that are left, without spaces at their ends.
    """
    lines = source.splitlines()
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            told = node.body[0]
            lines[told.lineno - 1 : told.end_lineno] = [""] * (told.end_lineno - told.lineno + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())
