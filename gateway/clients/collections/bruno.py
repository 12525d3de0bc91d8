"""A Bruno collection of the contract: a folder of .bru files."""

import json
import re

import contract as reading


def indented(text):
    return "\n".join("  " + line if line else "" for line in text.strip("\n").split("\n"))


def block(name, lines):
    """A block, or nothing where it would be empty."""
    return [f"{name} {{\n" + "\n".join("  " + line for line in lines) + "\n}\n"] if lines else []


def fields(contract, parameters, place):
    """Lines of the parameters of a place; a ~ before those that need not be there, which are off."""
    lines = []
    for one in parameters:
        if one["in"] == place and one["name"] not in reading.ASIDE:
            filled = one["name"] in reading.FILLED
            off = "" if one.get("required") or filled else "~"
            value = reading.FILLED.get(one["name"]) or contract.example(one)
            lines.append(f"{off}{one['name']}: {value}".rstrip())
    return lines


def request(contract, sequence, path, method, operation, parameters):
    body = contract.body(operation)
    kind = "none" if not body else "json" if body[0] == "application/json" else "text"
    auth = "none" if contract.is_open(operation) else "inherit"
    address = "{{url}}" + re.sub(r"\{(\w+)\}", r":\1", path)
    query = fields(contract, parameters, "query")
    shown = [line.replace(": ", "=", 1) for line in query if not line.startswith("~")]
    headers = fields(contract, parameters, "header")
    if kind == "text":
        headers.append(f"Content-Type: {body[0]}")
    parts = [
        *block("meta", [f"name: {operation['summary']}", "type: http", f"seq: {sequence}"]),
        *block(method, ["url: " + "?".join([address] + (["&".join(shown)] if shown else [])), f"body: {kind}", f"auth: {auth}"]),
        *block("params:query", query),
        *block("params:path", [f"{one['name']}: " + "{{" + reading.variable(path, one["name"]) + "}}" for one in parameters if one["in"] == "path"]),
        *block("headers", headers),
    ]
    if body:
        text = json.dumps(body[1], indent=2, ensure_ascii=False) if kind == "json" else body[1]
        parts.append(f"body:{kind} {{\n{indented(text)}\n}}\n")
    if operation.get("description"):
        parts.append(f"docs {{\n{indented(operation['description'])}\n}}\n")
    return "\n".join(parts)


def file_name(text):
    return re.sub(r"[^A-Za-z0-9 -]", "", text).strip()


def files(contract, address):
    """The path of each file in the collection, and its text."""
    title = contract.document["info"]["title"]
    yield "bruno.json", json.dumps({"version": "1", "name": title, "type": "collection"}, indent=2) + "\n"
    remember = reading.REMEMBER % {
        "status": "res.getStatus()",
        "type": 'res.getHeader("content-type")',
        "body": "res.getBody()",
        "set": "bru.setVar",
    }
    check = reading.CHECK % {"of": "", "status": "res.getStatus()"}
    script = f"\nscript:post-response {{\n{indented(remember)}\n}}\n\ntests {{\n{indented(check)}\n}}\n"
    yield "collection.bru", "auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{apiKey}}\n}\n" + script
    yield "environments/Local.bru", f"vars {{\n  url: {address}\n}}\nvars:secret [\n  apiKey\n]\n"
    for place, (tag, operations) in enumerate(contract.by_tag(), 1):
        folder = tag["name"]
        yield f"{folder}/folder.bru", f"meta {{\n  name: {folder}\n  seq: {place}\n}}\n"
        for sequence, one in enumerate(operations, 1):
            yield f"{folder}/{file_name(one[2]['summary'])}.bru", request(contract, sequence, *one)
