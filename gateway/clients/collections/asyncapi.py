"""An AsyncAPI document (3.0) of the events: the stream, and what is posted to webhooks."""

import re

WEBHOOK_TEST = "webhook.test"
RESET = "reset"


def converted(node):
    """A schema of OpenAPI as one of AsyncAPI: a discriminator is the field's name alone."""
    if isinstance(node, list):
        return [converted(one) for one in node]
    if not isinstance(node, dict):
        return node
    out = {name: converted(value) for name, value in node.items()}
    if isinstance(out.get("discriminator"), dict):
        out["discriminator"] = out["discriminator"]["propertyName"]
    return out


def references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def schemas(contract, roots):
    """These schemas, and all that they refer to."""
    all_of_them = contract.document["components"]["schemas"]
    found, waiting = {}, list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = converted(all_of_them[name])
            waiting += references(found[name])
    return {name: found[name] for name in all_of_them if name in found}


def callback(contract):
    operation = contract.document["paths"]["/api/webhooks"]["post"]["callbacks"]["event"]
    return next(iter(operation.values()))["post"]


def webhook_headers(contract):
    given = [contract.resolve(one) for one in callback(contract)["parameters"]]
    return {
        "type": "object",
        "required": [one["name"] for one in given if one.get("required")],
        "properties": {
            one["name"]: {**converted(contract.resolve(one["schema"])), "description": one["description"]} for one in given
        },
    }


def messages(contract, schema_of, examples):
    """A message for each type of event."""
    out = {}
    for kind, schema in schema_of.items():
        message = {
            "name": kind,
            "title": kind,
            "contentType": "application/json",
            "payload": {"$ref": f"#/components/schemas/{schema}"},
        }
        summary = contract.document["components"]["schemas"][schema].get("description")
        if summary:
            message["summary"] = summary
        if kind in examples:
            message["examples"] = [{"name": kind, "payload": examples[kind]["value"]}]
        out[kind] = message
    return out


def channel(address, title, description, kinds):
    return {
        "address": address,
        "title": title,
        "description": description,
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in kinds},
    }


def document(contract, host):
    source = contract.document
    mapping = source["components"]["schemas"]["EventPayload"]["discriminator"]["mapping"]
    schema_of = {kind: reference.rsplit("/", 1)[1] for kind, reference in mapping.items()}
    stream = source["paths"]["/api/events"]["get"]
    posted = callback(contract)
    # What the stream tells is named in its description.
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", stream["description"])) | {RESET}
    streamed = [kind for kind in schema_of if kind in named]
    hooked = [*source["components"]["schemas"]["WebhookEvent"]["enum"], WEBHOOK_TEST]
    examples = posted["requestBody"]["content"]["application/json"]["examples"]
    bearer = next(one for one in source["components"]["securitySchemes"].values() if one["type"] == "http")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"{source['info']['title']}: events",
            "version": source["info"]["version"],
            "description": source["components"]["schemas"]["EventPayload"]["description"],
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {"host": host, "protocol": "http", "security": [{"$ref": "#/components/securitySchemes/bearer"}]},
            "receiver": {
                "host": "{host}",
                "protocol": "https",
                "description": "Where the URL of the webhook leads.",
                "variables": {"host": {"default": "example.com"}},
            },
        },
        "channels": {
            "stream": {**channel("/api/events", stream["summary"], stream["description"], streamed), "servers": [{"$ref": "#/servers/local"}]},
            "webhook": {
                **channel(None, posted["summary"], source["paths"]["/api/webhooks"]["post"]["description"], hooked),
                "servers": [{"$ref": "#/servers/receiver"}],
            },
        },
        "operations": {
            "sendToStream": {
                "action": "send",
                "channel": {"$ref": "#/channels/stream"},
                "summary": stream["summary"],
                "bindings": {"http": {"method": "GET", "bindingVersion": "0.3.0"}},
                "messages": [{"$ref": f"#/channels/stream/messages/{kind}"} for kind in streamed],
            },
            "postToWebhook": {
                "action": "send",
                "channel": {"$ref": "#/channels/webhook"},
                "summary": posted["summary"],
                "traits": [{"$ref": "#/components/operationTraits/signed"}],
                "messages": [{"$ref": f"#/channels/webhook/messages/{kind}"} for kind in hooked],
            },
        },
        "components": {
            "messages": messages(contract, schema_of, examples),
            "schemas": {**schemas(contract, schema_of.values()), "WebhookHeaders": webhook_headers(contract)},
            "operationTraits": {
                "signed": {
                    "description": "Each call has the headers of the schema WebhookHeaders.",
                    "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
                },
            },
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": bearer.get("description", "")}},
        },
    }
