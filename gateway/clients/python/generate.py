#!/usr/bin/env python3
"""Writes parley_client/types.py and parley_client/operations.py from the OpenAPI document, as JSON.

generate.py OPENAPI.json DIRECTORY

A schema becomes a TypedDict, a Literal or a union; an operation a method of two classes, one of them with coroutines. What the
answers are at run time is what came: nothing is checked, so that fields and values of later releases do no harm.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from collections.abc import Set
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
HEAD = '"""Made from the OpenAPI document by generate.py."""\n\nfrom __future__ import annotations\n\n'


def snake(name: str) -> str:
    """listContacts -> list_contacts"""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return name + "_" if keyword.iskeyword(name) else name


def title(name: str) -> str:
    return name[:1].upper() + name[1:]


def target(reference: str) -> str:
    return reference.rsplit("/", 1)[1]


def doc(text: str | None, indent: int) -> str:
    """A docstring, or nothing."""
    if not text:
        return ""
    text = text.strip().replace("\\", "\\\\").replace('"""', "'''")
    if text.endswith('"'):
        text += " "
    space = " " * indent
    lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, 100) or [""])]
    if len(lines) == 1:
        return f'{space}"""{lines[0]}"""\n'
    return f'{space}"""{lines[0]}\n' + "".join(f"{space}{line}".rstrip() + "\n" for line in lines[1:]) + f'{space}"""\n'


class Types:
    """The schemas of the document, as Python's types."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.schemas: dict[str, Schema] = document["components"]["schemas"]
        self.written: dict[str, str] = {}
        for name, schema in self.schemas.items():
            self.define(name, schema)

    def define(self, name: str, schema: Schema) -> None:
        self.written.setdefault(name, "")  # its place comes before those of its parts
        if self.is_record(schema):
            self.written[name] = self.record(name, schema)
        else:
            self.written[name] = f'{name}: TypeAlias = "{self.type_of(schema, name)}"\n{doc(schema.get("description"), 0)}'

    @staticmethod
    def is_record(schema: Schema) -> bool:
        return schema.get("type") == "object" and "properties" in schema

    def record(self, name: str, schema: Schema) -> str:
        required = set(schema.get("required", []))
        fields: list[tuple[str, str, str | None]] = []
        for key, part in schema["properties"].items():
            kind = self.type_of(part, name + title(key))
            fields.append((key, kind if key in required else f"NotRequired[{kind}]", part.get("description")))
        if any(not key.isidentifier() or keyword.iskeyword(key) for key, _, _ in fields):
            body = "".join(f'    "{key}": "{kind}",\n' for key, kind, _ in fields)
            return f'{name} = TypedDict("{name}", {{\n{body}}})\n{doc(schema.get("description"), 0)}'
        body = doc(schema.get("description"), 4)
        body += "".join(f"    {key}: {kind}\n{doc(text, 4)}" for key, kind, text in fields)
        return f"@final\nclass {name}(TypedDict):\n{body or '    pass'}\n"

    def type_of(self, schema: Schema, name: str) -> str:
        """`name` is for a record that has none of its own."""
        if "$ref" in schema:
            return target(schema["$ref"])
        for union in ("oneOf", "anyOf", "allOf"):
            if union in schema:
                parts = [self.type_of(part, f"{name}{index or ''}") for index, part in enumerate(schema[union])]
                return self.united(parts)
        if "enum" in schema:
            return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
        kinds = schema.get("type", "any")
        if isinstance(kinds, list):
            return self.united([self.type_of({**schema, "type": kind}, name) for kind in kinds])
        if kinds == "array":
            return f"list[{self.type_of(schema.get('items', {}), name + 'Item')}]"
        if kinds == "object":
            return self.object(schema, name)
        names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "any": "Any"}
        return names[kinds]

    def object(self, schema: Schema, name: str) -> str:
        if "properties" not in schema:
            values = schema.get("additionalProperties")
            return f"dict[str, {self.type_of(values, name + 'Value') if isinstance(values, dict) else 'Any'}]"
        if name in self.schemas:
            raise SystemExit(f"generate.py: a part without a name would be called {name}, as another schema is")
        self.define(name, schema)
        return name

    @staticmethod
    def united(parts: list[str]) -> str:
        parts = [part for part in dict.fromkeys(parts) if part != "None"] + (["None"] if "None" in parts else [])
        return " | ".join(parts)

    def text(self) -> str:
        imports = "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final\n\n\n"
        return HEAD + imports + "\n\n".join(self.written.values())


# These have an argument of every call, or are the client's business.
HANDLED = {"X-Organization-Id", "X-Request-Id", "traceparent", "Last-Event-ID"}
HEADERS = {
    "Idempotency-Key": "idempotency_key",
    "If-Match": "if_match",
    "If-None-Match": "if_none_match",
    "Range": "byte_range",
    "If-Range": "if_range",
}
# Two names for one thing; and those that the client chooses when it reads all pages.
ALIASES = {"limit"}
NONE: Set[str] = frozenset()
JSON = "'json', "
PAGING = {"skip", "page", "limit"}


class Operation:
    def __init__(self, document: dict[str, Any], types: Types, path: str, method: str) -> None:
        item = document["paths"][path]
        self.raw = item[method]
        self.types = types
        self.path = path
        self.method = method.upper()
        self.name = snake(self.raw["operationId"])
        parameters = [self.resolve(document, each) for each in item.get("parameters", []) + self.raw.get("parameters", [])]
        self.path_names = re.findall(r"\{(\w+)\}", path)
        self.query = [each for each in parameters if each["in"] == "query" and each["name"] not in ALIASES]
        self.headers = [each["name"] for each in parameters if each["in"] == "header" and each["name"] not in HANDLED]
        self.body: dict[str, Any] = self.raw.get("requestBody", {}).get("content", {})
        self.answers: dict[str, Any] = {}
        for status, answer in self.raw["responses"].items():
            if status in ("200", "201", "202"):
                self.answers.update({f"{status} {kind}": what for kind, what in answer.get("content", {}).items()})

    @staticmethod
    def resolve(document: dict[str, Any], parameter: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in parameter:
            return parameter
        return dict(document["components"]["parameters"][target(parameter["$ref"])])

    def kind(self, schema: Schema) -> str:
        """A type, as operations.py calls it."""
        text = self.types.type_of(schema, title(self.raw["operationId"]))
        return re.sub(r"(?<!['\w])([A-Z]\w*)(?!['\w])", lambda m: self.qualified(m[1]), text)

    def qualified(self, name: str) -> str:
        return f"types.{name}" if name in self.types.written else name

    @property
    def json(self) -> str | None:
        """The type of the JSON that it answers with; None if it answers with something else."""
        if not self.answers:
            return "None"
        parts = [self.kind(what["schema"]) for kind, what in self.answers.items() if kind.endswith(" application/json")]
        return " | ".join(dict.fromkeys(parts)) if parts else None

    @property
    def is_file(self) -> bool:
        return any(not kind.endswith(("json", "event-stream")) for kind in self.answers)

    @property
    def records(self) -> tuple[str, str] | None:
        """Where a page of a list has its records, and their type."""
        if not any(each["name"] == "cursor" for each in self.query):
            return None
        answer = self.types.schemas[(self.json or "").removeprefix("types.")]["properties"]
        ((name, part),) = [each for each in answer.items() if each[0] != "paginationMeta"]
        return name, self.kind(part["items"])

    @property
    def raw_types(self) -> list[str]:
        return [kind for kind in self.body if kind not in ("application/json", "multipart/form-data")]

    def bodies(self) -> list[tuple[str | None, str | None]]:
        """The type of the body and of its answer; where one of several bodies has its own answer, a pair for each."""
        if "application/json" not in self.body:
            return [(None, self.json)]
        schema = self.body["application/json"]["schema"]
        alternatives = self.alternatives(schema)
        answers = [self.alternatives(what["schema"]) for what in self.answers.values()]
        if len(answers) == 1 and len(answers[0]) == len(alternatives) > 1:
            return [(self.kind(body), self.kind(answer)) for body, answer in zip(alternatives, answers[0], strict=True)]
        return [(self.kind(schema), self.json)]

    def alternatives(self, schema: Schema) -> list[Schema]:
        while "$ref" in schema:
            schema = self.types.schemas[target(schema["$ref"])]
        return list(schema.get("oneOf", [])) if "discriminator" not in schema else []

    def parameters(self, body: str | None, file: str, *, without: Set[str] = NONE, paging: bool = False) -> str:
        texts = ["self", *(f"{snake(name)}: str" for name in self.path_names)]
        if body is not None:
            texts.append(f"body: {body}" + ("" if self.raw["requestBody"].get("required") else " | None = None"))
        if self.raw_types:
            texts.append(f"file: {file}")
        texts.append("*")
        if len(self.raw_types) > 1:
            texts.append(f"content_type: Literal[{', '.join(map(repr, self.raw_types))}]")
        for each in sorted(self.query, key=lambda each: not each.get("required")):
            if each["name"] in without:
                continue
            kind = self.kind(each["schema"])
            text = f"{snake(each['name'])}: {kind}" + ("" if each.get("required") else " | None = None")
            if each["name"] == "format" and JSON in kind:  # JSON has a method of its own
                text = f"format: {kind.replace(JSON, '')} = 'csv'"
            texts.append(text)
        texts += [f"{HEADERS[name]}: str | None = None" for name in self.headers if not (paging and name == "If-None-Match")]
        return ", ".join([*texts, "timeout: float | None = None"])

    def call(self, *, accept: str = "", without: Set[str] = NONE, paging: bool = False) -> str:
        parts = [f'"{self.method}"', f'"{self.path}"']
        if self.path_names:
            parts.append("path={" + ", ".join(f'"{name}": {snake(name)}' for name in self.path_names) + "}")
        query = [each["name"] for each in self.query if each["name"] not in without]
        if query:
            parts.append("query={" + ", ".join(f'"{name}": {snake(name)}' for name in query) + "}")
        if "application/json" in self.body:
            parts.append("body=body")
        if self.raw_types:
            kind = "content_type" if len(self.raw_types) > 1 else f'"{self.raw_types[0]}"'
            parts += ["file=file", f"content_type={kind}"]
        if accept:
            parts.append(f'accept="{accept}"')
        parts += [f"{HEADERS[name]}={HEADERS[name]}" for name in self.headers if not (paging and name == "If-None-Match")]
        return f"Call({', '.join([*parts, 'timeout=timeout'])})"

    def docs(self, more: str = "") -> str:
        return doc(f"{self.raw['summary']}.\n\n{more}{self.raw.get('description', '')}", 8)

    def methods(self, is_async: bool) -> str:
        definition = "    async def" if is_async else "    def"
        wait = "await " if is_async else ""
        a = "Async" if is_async else ""
        text = ""
        file = f"{a}FileBody"
        form = {"format"} if self.is_file else set()
        if self.json is not None:
            bodies = self.bodies()
            for one, answer in bodies if len(bodies) > 1 else []:
                text += f"    @overload\n{definition} {self.name}({self.parameters(one, file)}) -> Answer[{answer}]: ...\n\n"
            body = None if bodies[0][0] is None else " | ".join(str(each) for each, _ in bodies)
            returns = "Any" if len(bodies) > 1 else self.json
            text += f"{definition} {self.name}({self.parameters(body, file, without=form)}) -> Answer[{returns}]:\n"
            text += f"{self.docs()}        return {wait}self._ask({self.call(without=form)})\n\n"
        if self.is_file:
            text += self.download(f"{a}Download")
        if self.records is not None:
            field, record = self.records
            name = "iter_" + self.name.removeprefix("list_")
            parameters = self.parameters(None, file, without=PAGING | form, paging=True)
            text += f"    def {name}({parameters}) -> {a}Iterator[{record}]:\n"
            text += self.docs("All of them, page after page.\n\n")
            text += f"        return self._all('{field}', {self.call(without=PAGING | form, paging=True)})\n\n"
        return text

    def download(self, returns: str) -> str:
        kinds = [kind.split(" ", 1)[1] for kind in self.answers if not kind.endswith("json")]
        accept = kinds[0] if len(kinds) == 1 else "*/*"
        name = self.name + ("_csv" if self.json is not None else "")
        without = PAGING | {"cursor", "per_page"} if self.json is not None else set()
        text = f"    def {name}({self.parameters(None, '', without=without, paging=True)}) -> {returns}:\n"
        more = "A file: `with` it, read it.\n\n" if returns == "Download" else "A file: `async with` it, read it.\n\n"
        call = self.call(accept=accept, without=without, paging=True)
        return f"{text}{self.docs(more)}        return self._download({call})\n\n"


def operations(document: dict[str, Any], types: Types) -> str:
    text = HEAD + (
        "from collections.abc import AsyncIterator, Iterator\nfrom typing import Any, Literal, overload\n\n"
        "from . import types\nfrom .exchange import Answer, AsyncFileBody, Call, FileBody\n"
        "from .transport import AsyncDownload, AsyncTransport, Download, Transport\n"
    )
    every = [
        Operation(document, types, path, method)
        for path, item in document["paths"].items()
        for method in ("get", "post", "delete")
        # Not those that the messaging channel and the readers of its messages call, nor the stream, which has its own class.
        if method in item and path.startswith("/api/") and path != "/api/events"
    ]
    for is_async, name in ((False, "Operations(Transport)"), (True, "AsyncOperations(AsyncTransport)")):
        text += f"\n\nclass {name}:\n" + "".join(operation.methods(is_async) for operation in every)
    return text


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit("usage: generate.py OPENAPI.json DIRECTORY")
    document = json.loads(Path(sys.argv[1]).read_text())
    types = Types(document)
    methods = operations(document, types)  # it may define further types
    directory = Path(sys.argv[2])
    (directory / "operations.py").write_text(methods)
    (directory / "types.py").write_text(types.text())


if __name__ == "__main__":
    main()
