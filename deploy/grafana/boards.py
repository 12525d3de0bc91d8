"""The dashboards beside this file, and a Prometheus to ask: for `queries` and `draw`."""

import json
import pathlib
import re
import urllib.parse
import urllib.request

here = pathlib.Path(__file__).resolve().parent


def boards():
    """(name, dashboard) of each."""
    return [(path.stem, json.loads(path.read_text())) for path in sorted((here / "dashboards").glob("*.json"))]


def panels(board):
    """All panels that show something; rows are but headings."""
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def filled(expression, board, rate_interval):
    """The query as Grafana sends it with all variables at All."""
    for variable in board["templating"]["list"]:
        expression = expression.replace("$" + variable["name"], variable.get("allValue", ""))
    return expression.replace("$__rate_interval", rate_interval)


class Prometheus:
    """Prometheus' HTTP API, by GET. What it refuses is raised as ValueError with its words."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path, **parameters):
        query = urllib.parse.urlencode(parameters, doseq=True)
        try:
            with self.opener.open(f"{self.url}/api/v1/{path}?{query}", timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as refused:
            raise ValueError(json.load(refused).get("error", str(refused))) from None

    def at(self, expression, time):
        return self.get("query", query=expression, time=time)["result"]

    def over(self, expression, start, end, step):
        return self.get("query_range", query=expression, start=start, end=end, step=step)["result"]


def legend(format_, labels):
    """A series' name, as Grafana writes it."""
    if not format_:
        inner = ", ".join(f'{name}="{value}"' for name, value in labels.items() if name != "__name__")
        return labels.get("__name__", "") + ("{" + inner + "}" if inner else "")
    return re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda found: labels.get(found[1], ""), format_)
