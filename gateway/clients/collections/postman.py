"""A Postman collection (v2.1) of the contract."""

import json

import contract as reading

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

REMEMBER = reading.REMEMBER % {
    "status": "pm.response.code",
    "type": 'pm.response.headers.get("Content-Type")',
    "body": "pm.response.json()",
    "set": "pm.collectionVariables.set",
}
CHECK = reading.CHECK % {"of": "pm.", "status": "pm.response.code"}


def fields(contract, parameters, place):
    """Parameters of a place; those that need not be there are disabled."""
    for one in parameters:
        if one["in"] == place and one["name"] not in reading.ASIDE:
            filled = one["name"] in reading.FILLED
            yield {
                "key": one["name"],
                "value": reading.FILLED.get(one["name"]) or contract.example(one),
                "description": one.get("description", ""),
                "disabled": not (one.get("required") or filled),
            }


def url(contract, path, parameters):
    steps = [":" + step[1:-1] if step.startswith("{") else step for step in path.strip("/").split("/")]
    query = list(fields(contract, parameters, "query"))
    variables = [
        {"key": one["name"], "value": "{{" + reading.variable(path, one["name"]) + "}}", "description": one.get("description", "")}
        for one in parameters
        if one["in"] == "path"
    ]
    shown = "&".join(f"{one['key']}={one['value']}" for one in query if not one["disabled"])
    return {
        "raw": "{{url}}/" + "/".join(steps) + ("?" + shown if shown else ""),
        "host": ["{{url}}"],
        "path": steps,
        "query": query,
        "variable": variables,
    }


def request(contract, path, method, operation, parameters):
    out = {
        "method": method.upper(),
        "header": list(fields(contract, parameters, "header")),
        "url": url(contract, path, parameters),
        "description": operation.get("description", ""),
    }
    body = contract.body(operation)
    if body:
        media, example = body
        out["header"].append({"key": "Content-Type", "value": media})
        is_json = media == "application/json"
        out["body"] = {
            "mode": "raw",
            "raw": json.dumps(example, indent=2, ensure_ascii=False) if is_json else example,
            "options": {"raw": {"language": "json" if is_json else "text"}},
        }
    if contract.is_open(operation):
        out["auth"] = {"type": "noauth"}
    return out


def collection(contract, address):
    info = contract.document["info"]
    return {
        "info": {"name": info["title"], "version": info["version"], "description": info["description"], "schema": SCHEMA},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{apiKey}}", "type": "string"}]},
        "event": [{"listen": "test", "script": {"type": "text/javascript", "exec": [*REMEMBER.split("\n"), CHECK]}}],
        "variable": [{"key": "url", "value": address}, {"key": "apiKey", "value": "", "type": "string"}],
        "item": [
            {
                "name": tag["name"],
                "description": tag.get("description", ""),
                "item": [{"name": one[2]["summary"], "request": request(contract, *one), "response": []} for one in operations],
            }
            for tag, operations in contract.by_tag()
        ],
    }
