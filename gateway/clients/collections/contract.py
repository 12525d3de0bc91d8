"""Reads gateway/openapi.yaml."""

import re

import yaml


class Loader(yaml.SafeLoader):
    """Leaves timestamps as the texts that they are in JSON."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}

METHODS = ("get", "post", "put", "patch", "delete")
FILLED = {"Idempotency-Key": "{{$guid}}", "wait": "0"}  # what a request has from the start; a stream without `wait` lasts 15 minutes
ASIDE = ("X-Request-Id", "traceparent")  # headers that nobody fills in by hand
TEXTS = ("text/csv", "text/plain")  # bodies that are no JSON

# The ids in the contract's examples are nobody's. Where a body must have one, it is that of what was created; elsewhere none is sent.
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
VARIABLES = {"contactId": "contactId", "add": "contactId", "listIds": "listId", "memberId": "memberId", "roles": "roleId"}


# Run behind each answer: the next requests are about what was created. Not about what a list shows, or who runs them one after
# the other would delete what they have.
REMEMBER = """
if ([201, 202].includes(%(status)s) && String(%(type)s).startsWith("application/json")) {
  for (const [name, value] of Object.entries(%(body)s)) {
    if (value && value.uniqueId) %(set)s(name + "Id", value.uniqueId);
  }
}
""".strip()

# So a run of a folder tells by its exit status whether a request was refused.
CHECK = '%(of)stest("is not refused", () => { %(of)sexpect(%(status)s).to.be.below(400); });'


def variable(path, parameter):
    """The variable that holds a parameter of a path: listId of /api/lists/{id}."""
    if parameter != "id":
        return parameter
    words = path.split("/{id}")[0].rsplit("/", 1)[1].split("-")
    name = words[0] + "".join(word.capitalize() for word in words[1:])
    return re.sub("s$", "", re.sub("ies$", "y", name)) + "Id"


def filled_in(value, key=""):
    """The example of a body, with variables for ids, and labels that no other tag has."""
    if isinstance(value, dict):
        return {name: filled_in(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each, key) for each in value if not is_id(each) or key in VARIABLES]
    if is_id(value) and key in VARIABLES:
        return "{{" + VARIABLES[key] + "}}"
    return value + " {{$guid}}" if key == "label" else value


def is_id(value):
    return isinstance(value, str) and ID.fullmatch(value) is not None


class Contract:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.document = yaml.load(file, Loader)

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def operations(self):
        """Every operation: its path, its method and itself, with its parameters as they are."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    operation = item[method]
                    given = item.get("parameters", []) + operation.get("parameters", [])
                    yield path, method, operation, [self.resolve(one) for one in given]

    def by_tag(self):
        """The operations of each tag, in the tags' order: those about one thing behind those that create it, deletions last. Those that only the channel calls are left out."""
        groups = {tag["name"]: [] for tag in self.document["tags"]}
        for one in self.operations():
            groups[one[2]["tags"][0]].append(one)
        for group in groups.values():
            group.sort(key=lambda one: (one[1] == "delete", "{" in one[0]))  # what is deleted is not there for the others
        return [(tag, groups[tag["name"]]) for tag in self.document["tags"] if tag["name"] != "Channel" and groups[tag["name"]]]

    def example(self, parameter):
        """The text of a parameter's example, or ''."""
        value = parameter.get("example", self.resolve(parameter.get("schema", {})).get("default", ""))
        return value if isinstance(value, str) else "" if isinstance(value, dict) else str(value).lower()

    def body(self, operation):
        """The content type of the body to show, and its example; None where there is no body."""
        content = self.resolve(operation.get("requestBody", {})).get("content", {})
        for media in ("application/json", *TEXTS):
            if media in content:
                shown = content[media]
                examples = list(shown.get("examples", {}).values())
                example = shown["example"] if "example" in shown else examples[0]["value"] if examples else {}
                return media, filled_in(example)
        return None

    def is_open(self, operation):
        """Whether the operation needs no credential."""
        return operation.get("security") == []
