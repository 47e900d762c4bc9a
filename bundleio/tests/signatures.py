"""The interface of each language, read from its source: signatures as docs/reference/bundleio-api.md prints them."""

import ast
import os
import re

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def text_of(*parts):
    with open(os.path.join(SOURCE, *parts), encoding="utf-8") as file:
        return file.read()


def _one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def header():
    return re.sub(r"/\*.*?\*/", " ", text_of("include", "bundleio", "bundleio.h"), flags=re.DOTALL)


def c():
    """Prototypes by function."""
    found = re.findall(r"^((?:int|const char \*)\s*(bio_\w+)\([^;]*\);)", header(), flags=re.MULTILINE)
    return {name: _one_line(prototype) for prototype, name in found}


def statuses():
    body = re.search(r"enum bio_status \{(.*?)\}", header(), flags=re.DOTALL).group(1)
    return {name: int(value) for name, value in re.findall(r"BIO_(\w+) = (\d+)", body)}


def _members(body):
    """The declarations of a class, without what stands in braces."""
    depth = start = 0
    for at, letter in enumerate(body):
        if letter == "{" and depth == 0:
            yield body[start:at]
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0 and letter in "};":
            if letter == ";":
                yield body[start:at]
            start = at + 1


def cpp():
    text = re.sub(r"//[^\n]*", "", text_of("include", "bundleio", "bundleio.hpp"))
    signatures = set()
    for name, body in re.findall(r"^class (\w+)[^{;]*\{(.*?)^\};", text, flags=re.MULTILINE | re.DOTALL):
        public = body.split("public:", 1)[1].split("private:", 1)[0]
        for member in map(_one_line, _members(public)):
            shown = re.sub(r"template <.*?> (?=void|int|\[\[)|\[\[nodiscard\]\] |explicit ", "", member)
            if member.startswith("template") and not re.search(r"\bT\b", shown):
                shown = shown.replace("(", "<T>(", 1)
            member = shown
            member = re.sub(r"\) (noexcept )?: .*", ")", member)
            if "(" not in member or re.search(r"= delete|operator|~|static|&& other", member):
                continue
            signatures.add(re.sub(r"([\w<>]+\()", name + r"::\1", member, count=1))
    return signatures


def fortran():
    sources = [text_of("fortran", name) for name in ("bundleio_context.f90", "bundleio.f90", "bundleio_reader.f90")]
    text = re.sub(r"&\s*\n\s*", "", "\n".join(sources))
    signatures = set()
    for kind, body in re.findall(r"^  type :: bio_(context|run|reader)\n(.*?)^  end type", text, flags=re.MULTILINE | re.DOTALL):
        for name, specifics in re.findall(r"(?:procedure|generic) :: (\w+) => ([\w, ]+)", body):
            for specific in specifics.split(", "):
                signatures.add(_fortran_call(text, kind, name, specific))
    return signatures


def _fortran_call(text, kind, name, specific):
    found = re.search(rf"^  ([\w ]*?)(subroutine|function) {specific}\(self(?:, )?([^)]*)\)(.*?)^  end \2", text,
                      flags=re.MULTILINE | re.DOTALL)
    result, what, arguments, body = found.groups()
    optional = {word for line in re.findall(r"optional :: (.*)", body) for word in line.split(", ")}
    shown = ""
    for argument in filter(None, arguments.split(", ")):
        separator = ", " if shown else ""
        shown += f"[{separator}{argument}]" if argument in optional else separator + argument
    start = "call " if what == "subroutine" else f"{result.strip() or 'character(:), allocatable'} = "
    return f"{start}{kind}%{name}({shown})"


def python():
    signatures = set()
    for node in ast.parse(text_of("python", "bundleio.py")).body:
        if not isinstance(node, ast.ClassDef) or node.name not in ("Context", "Run", "Reader"):
            continue
        for method in node.body:
            if not isinstance(method, ast.FunctionDef) or method.name.startswith("_") and method.name != "__init__":
                continue
            arguments = re.sub(r"^self(, )?", "", ast.unparse(method.args))
            name = node.name if method.name == "__init__" else f"{node.name}.{method.name}"
            returns = f" -> {ast.unparse(method.returns)}" if method.returns else ""
            signatures.add(f"{name}({arguments}){returns}")
    return signatures
