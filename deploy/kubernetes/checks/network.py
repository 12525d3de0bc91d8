"""Who is told to call whom, and whether the NetworkPolicies let them."""
import ipaddress
import re
import urllib.parse

from checks.system import SECRETS, matches

SERVICES = "CONTACTS|CONVERSATIONS|ORGANIZATIONS|ANALYTICS"
CALLS = re.compile(
    rf"PARLEY_({SERVICES}|CHANNEL|CHANNEL_MEDIA|TRACES|WEBHOOK|REDIS|DATABASE|DATABASE_REPLICA)_URLS?(_FILE)?")
PORTS = {"http": 80, "https": 443, "redis": 6379, "rediss": 6379, "redis+sentinel": 26379, "rediss+sentinel": 26379,
         "postgresql": 5432, "postgres": 5432}
# What a rule for the Internet has to leave out: a cluster's own pods, nodes and metadata services among it.
PRIVATE = [ipaddress.ip_network(each) for each in (
    "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
    "fe80::/10")]
# How long the prefix of a public network is that one holder has, whom somebody knows: a wider one is the Internet.
KNOWN = {4: 16, 6: 32}


def check(system):
    check_targets(system)
    for workload in system.workloads:
        calls = calls_of(workload)
        for setting, hosts in calls:
            for host, port in hosts:
                check_call(system, workload, setting, host, port)
        if calls and not may(system, workload.labels, "Egress", {"namespace": "kube-system"}, 53):
            system.refuse(f"{workload.where} may not look up names")
    for workload in system.ours:
        if workload.service == "gateway" and system.all("Ingress", "HTTPRoute"):
            if not may(system, workload.labels, "Ingress", {}, 8080):
                system.refuse(f"{workload.where}: nobody from outside may call it")
        prometheus = {"namespace": "monitoring"}
        if system.all("ServiceMonitor") and not may(system, workload.labels, "Ingress", prometheus, 9090):
            system.refuse(f"{workload.where}: Prometheus in the namespace monitoring may not scrape it")


def check_targets(system):
    """Every way out says where to and by which port; to the Internet that is 443, and nothing private. Only where the
    simulator stands for the channel may webhooks lead anywhere."""
    is_trial = ("Service", "simulator") in system.named
    for policy in system.all("NetworkPolicy"):
        where = f"NetworkPolicy {policy['metadata']['name']}"
        for rule in policy["spec"].get("egress", []):
            peers, ports = rule.get("to", []), rule.get("ports", [])
            is_wide = not ports or any(map(is_range, ports)) or any(map(is_anybody, peers))
            if not peers or (is_wide and not is_trial):
                system.refuse(f"{where}: a rule for what goes out does not say where to, or by which port")
            for each in peers:
                if "ipBlock" in each:
                    check_block(system, where, each["ipBlock"], ports)
    for workload in system.ours:
        if workload.value("PARLEY_WEBHOOKS_ALLOW_PRIVATE") in ("on", "true") and not is_trial:
            system.refuse(f"{workload.where}: PARLEY_WEBHOOKS_ALLOW_PRIVATE is for development with the simulator")


def is_range(port):
    """Of ports: several, or all of a protocol."""
    return port.get("port") is None or port.get("endPort", port["port"]) != port["port"]


def is_anybody(peer):
    """Pods of namespaces that no label tells from others, whichever they are there."""
    return "namespaceSelector" in peer and not any(map(says_which, (peer["namespaceSelector"], peer.get("podSelector"))))


def says_which(selector):
    """Whether it names labels that are meant, and not only such as are not."""
    expressions = (selector or {}).get("matchExpressions") or []
    return bool((selector or {}).get("matchLabels")) or any(each["operator"] == "In" for each in expressions)


def check_block(system, where, block, ports):
    try:
        network = ipaddress.ip_network(block["cidr"])
        excepted = [ipaddress.ip_network(each) for each in block.get("except", [])]
    except ValueError as fault:
        system.refuse(f"{where}: {fault}")
        return
    if network.is_private or network.prefixlen >= KNOWN[network.version]:
        return  # a network that somebody knows
    open_to = [each for each in PRIVATE if each.version == network.version and each.overlaps(network)]
    for each in open_to:
        if not any(each.subnet_of(other) for other in excepted):
            system.refuse(f"{where}: {network} has the private {each} in it")
    if not ports or any(each.get("port") != 443 or is_range(each) for each in ports):
        system.refuse(f"{where}: {network} is the Internet, by other ports than 443")


def calls_of(workload):
    """[(setting, [(host, port)])]: what it is told to call."""
    out = []
    for name in sorted(workload.environment):
        if CALLS.fullmatch(name):
            name = name.removesuffix("_FILE")
            url = workload.value(name)
            out.append((name, hosts_of(SECRETS.get(name, "") if url is None else url)))
    return out


def hosts_of(url):
    """[(host, port)] of a URL with one host or several, of several URLs with commas, or of libpq's key=value."""
    if "://" not in url:
        pairs = dict(re.findall(r"(\w+)\s*=\s*'?([^'\s]+)", url))
        hosts, ports = pairs.get("host", "").split(","), pairs.get("port", "5432").split(",")
        return [(host, int(ports[min(i, len(ports) - 1)])) for i, host in enumerate(hosts) if host]
    out, scheme = [], ""
    for part in url.split(","):
        before, _, rest = part.rpartition("://")
        scheme = before or scheme
        authority = re.split(r"[/?]", rest, maxsplit=1)[0].rpartition("@")[2]
        split = urllib.parse.urlsplit("//" + authority)
        out.append((split.hostname or "", split.port or PORTS.get(scheme, 0)))
    return out


def check_call(system, workload, setting, host, port):
    what = f"{workload.where}: {setting} leads to {host}:{port}"
    if "." not in host and ":" not in host and host != "localhost":
        service = system.named.get(("Service", host))
        if service:
            check_call_inside(system, workload, what, service, port)
        else:
            system.refuse(f"{what}, and there is no Service {host}")
        return
    inside = re.fullmatch(r"[a-z][^.]*\.([^.]+)(\.svc(\..*)?)?", host)
    peers = [{"host": host}] + ([{"namespace": inside[1]}] if inside else [])
    if not any(may(system, workload.labels, "Egress", peer, port) for peer in peers):
        system.refuse(f"{what}, which no NetworkPolicy lets it call")


def check_call_inside(system, workload, what, service, port):
    found = next((each for each in service["spec"]["ports"] if each["port"] == port), None)
    if not found:
        system.refuse(f"{what}, and the Service has no such port")
        return
    for target in system.deployments:
        if not matches({"matchLabels": service["spec"]["selector"]}, target.labels):
            continue
        names = {each.get("name"): each["containerPort"] for each in target.container.get("ports", [])}
        reached = names.get(found.get("targetPort"), found.get("targetPort", port))
        if not isinstance(reached, int):
            continue  # a name that nothing has, which was refused already
        if not may(system, workload.labels, "Egress", {"pod": target.labels}, reached):
            system.refuse(f"{what}, which no NetworkPolicy lets it call")
        if not may(system, target.labels, "Ingress", {"pod": workload.labels}, reached):
            system.refuse(f"{what}, which no NetworkPolicy lets in at {target.where}")


def may(system, labels, direction, peer, port):
    """peer: {"pod": labels} of this namespace, {"namespace": name}, {"host": name or address} outside, {} anybody."""
    policies = [each["spec"] for each in system.all("NetworkPolicy") if direction in each["spec"]["policyTypes"]]
    policies = [each for each in policies if matches(each["podSelector"], labels)]
    return not policies or any(permits(each.get(direction.lower(), []), peer, port) for each in policies)


def permits(rules, peer, port):
    for rule in rules:
        peers = rule.get("from", rule.get("to"))
        if not all(map(is_plain, rule.get("ports", []))) or (peers and not any(is_peer(each, peer) for each in peers)):
            continue
        if "ports" not in rule or any(p["port"] <= port <= p.get("endPort", p["port"]) for p in rule["ports"]):
            return True
    return False


def is_plain(port):
    return isinstance(port.get("port"), int)


def is_peer(rule, peer):
    if "ipBlock" in rule:
        return "host" in peer and is_in_block(rule["ipBlock"], peer["host"])
    if "namespaceSelector" in rule and "namespace" in peer:
        return matches(rule["namespaceSelector"], {"kubernetes.io/metadata.name": peer["namespace"]})
    own = "namespaceSelector" not in rule or not rule["namespaceSelector"]
    return "pod" in peer and own and matches(rule.get("podSelector", {}), peer["pod"])


def is_in_block(block, host):
    def is_in(network):
        return ipaddress.ip_address(host) in ipaddress.ip_network(network)  # False for the other version

    try:
        return is_in(block["cidr"]) and not any(map(is_in, block.get("except", [])))
    except ValueError:
        return True  # a name: where it leads is not known here; or no network, which was refused already
