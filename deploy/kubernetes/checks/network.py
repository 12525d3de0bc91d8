"""Who is told to call whom, and whether the NetworkPolicies let them."""
import ipaddress
import re
import urllib.parse

from checks.system import SECRETS, matches

SERVICES = "CONTACTS|CONVERSATIONS|ORGANIZATIONS|ANALYTICS"
CALLS = re.compile(
    rf"PARLEY_({SERVICES}|CHANNEL|CHANNEL_MEDIA|TRACES|WEBHOOK|SMTP|MEDIA|REDIS|DATABASE|DATABASE_REPLICA)_URLS?(_FILE)?")
PORTS = {"http": 80, "https": 443, "redis": 6379, "rediss": 6379, "redis+sentinel": 26379, "rediss+sentinel": 26379,
         "postgresql": 5432, "postgres": 5432, "smtp": 25, "smtps": 465, "s3": 443, "s3+http": 80}
NAME = "app.kubernetes.io/name"
DOOR = 8080  # the gateway's port, which everybody may call
RUN = ("Deployment", "Job", "StatefulSet", "DaemonSet", "ReplicaSet", "CronJob", "Pod")
PEER = ("ipBlock", "namespaceSelector", "podSelector")


def networks(*texts):
    return [ipaddress.ip_network(each) for each in texts]


# Where nothing is that is to be called: this machine, its link with the cloud's metadata, what translates to addresses
# of the other version, multicast and reserved ones.
NOWHERE = networks(
    "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "224.0.0.0/3", "100.100.100.200/32",
    "::/8", "2001::/23", "2002::/16", "fe80::/10", "fec0::/10", "ff00::/8", "fd00:ec2::254/128", "fd20:ce::254/128")
LINK_LOCAL = ipaddress.ip_network("169.254.0.0/16")
# What a rule for the Internet has to leave out: a cluster's own pods and nodes.
PRIVATE = networks("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15", "fc00::/7")
# How long the prefix of a network is that one holder has, whom somebody knows: a wider one is the Internet, and of a
# private one more than where something is. What one policy lists counts together.
KNOWN = {4: 16, 6: 32}
KNOWN_PRIVATE = {4: 16, 6: 48}
PORTS_OF_ONE = 8  # ports that one policy lists: with more of them it is a range


def check(system):
    check_default(system)
    check_policies(system)
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


def check_default(system):
    """What no policy selects may call anything, and be called by anybody: so one has to select all."""
    closed = {each["metadata"].get("namespace") for each in system.all("NetworkPolicy") if is_closed(each["spec"])}
    for namespace in sorted({each["metadata"].get("namespace") for each in system.all(*RUN)} - closed, key=str):
        system.refuse(f"namespace {namespace}: no NetworkPolicy closes all pods, in and out: what none selects is open")


def is_closed(spec):
    rules = spec.get("ingress") or spec.get("egress")
    return not any((spec["podSelector"] or {}).values()) and {"Ingress", "Egress"} <= types_of(spec) and not rules


def types_of(spec):
    return set(spec.get("policyTypes") or ["Ingress"] + ["Egress"] * bool(spec.get("egress")))


def check_policies(system):
    """Every way out or in says where to or from, and by which port; to the Internet that is 443, and nothing private.
    From everywhere only the gateway may be called, and only where the simulator stands for the channel may webhooks
    lead anywhere."""
    is_trial = ("Service", "simulator") in system.named
    for policy in system.all("NetworkPolicy"):
        spec, where = policy["spec"], f"NetworkPolicy {policy['metadata']['name']}"
        check_selector(system, where, spec["podSelector"])
        check_ways(system, where, "out", read_rules(spec, "egress", "to"), is_trial and is_only(spec, "dispatcher"))
        check_ways(system, where, "in", read_rules(spec, "ingress", "from"), is_only(spec, "gateway"))
    for workload in system.ours:
        if workload.value("PARLEY_WEBHOOKS_ALLOW_PRIVATE") in ("on", "true") and not is_trial:
            system.refuse(f"{workload.where}: PARLEY_WEBHOOKS_ALLOW_PRIVATE is for development with the simulator")


def read_rules(spec, key, side):
    """[(peers, ports)], without what is null, which is as if it were not there."""
    rules = [each or {} for each in spec.get(key) or []]
    return [([{key: peer[key] for key in PEER if (peer or {}).get(key) is not None} for peer in each.get(side) or []],
             [port or {} for port in each.get("ports") or []]) for each in rules]


def is_only(spec, name):
    """Whether a policy is for the pods of one service alone."""
    selector = spec["podSelector"] or {}
    named = [[value] for key, value in (selector.get("matchLabels") or {}).items() if key == NAME]
    named += [each.get("values") for each in selector.get("matchExpressions") or []
              if (each["key"], each["operator"]) == (NAME, "In")]
    return [name] in named


def check_selector(system, where, selector):
    for each in (selector or {}).get("matchExpressions") or []:
        if each["operator"] in ("In", "NotIn") and not each.get("values"):
            system.refuse(f"{where}: {each['operator']} has no values")


def check_ways(system, where, way, rules, is_free):
    """is_free: of a policy that may let out to anywhere, or in from everywhere by the door."""
    blocks = []  # (network, what is left of it, whether it is for 443 alone)
    goes, side, is_anybody = ("goes out", "to", is_any_pod) if way == "out" else ("comes in", "from", is_any_namespace)
    for peers, ports in rules:
        is_open = is_free and (way == "out" or are_all(ports, DOOR))
        is_wide = not ports or any(map(is_range, ports)) or any(map(is_anybody, peers))
        is_nowhere = not all(peers) or (not peers and (way == "out" or not is_open))
        if is_nowhere or (is_wide and not is_open):
            system.refuse(f"{where}: a rule for what {goes} does not say where {side}, or by which port")
        for each in peers:
            for key in PEER[1:]:
                check_selector(system, where, each.get(key))
            left = read_block(system, where, each["ipBlock"]) if "ipBlock" in each else None
            if left and not (way == "in" and is_open) and not is_names(left[0], way, ports):
                blocks.append((*left, way == "out" and are_all(ports, 443)))
    if len({each.get("port") for _, ports in rules for each in ports}) > PORTS_OF_ONE:
        system.refuse(f"{where}: for what {goes} it has more than {PORTS_OF_ONE} ports, which is a range")
    check_blocks(system, where, way, blocks)


def is_range(port):
    """Of ports: several, or all of a protocol."""
    return port.get("port") is None or (port.get("endPort") or port["port"]) != port["port"]


def are_all(ports, number):
    return bool(ports) and all(each.get("port") == number and not is_range(each) for each in ports)


def is_any_pod(peer):
    """Pods of namespaces that no label tells from others, whichever they are there."""
    return is_any_namespace(peer) and not says_which(peer.get("podSelector"))


def is_any_namespace(peer):
    """Pods of namespaces that no label tells from others: who comes from there may have given itself any label."""
    return "namespaceSelector" in peer and not says_which(peer["namespaceSelector"])


def says_which(selector):
    """Whether it names labels that are meant, and not only such as are not."""
    expressions = (selector or {}).get("matchExpressions") or []
    return bool((selector or {}).get("matchLabels")) or any(
        each["operator"] == "In" and each.get("values") for each in expressions)


def is_names(network, way, ports):
    """A cache of names on each node."""
    return way == "out" and network.num_addresses == 1 and network.overlaps(LINK_LOCAL) and are_all(ports, 53)


def read_block(system, where, block):
    """(network, [networks that are left of it]), or None."""
    try:
        network = ipaddress.ip_network(str(block.get("cidr")))
        excepted = [ipaddress.ip_network(str(each)) for each in block.get("except") or []]
    except ValueError as fault:
        system.refuse(f"{where}: {fault}")
        return None
    left = [network]
    for each in excepted:
        if each.version == network.version:
            left = [part for one in left for part in without(one, each)]
    return network, left


def without(network, other):
    if network.subnet_of(other):
        return []
    return network.address_exclude(other) if other.subnet_of(network) else [network]


def check_blocks(system, where, way, blocks):
    private, public = {4: [], 6: []}, {4: [], 6: []}
    for network, left, is_443 in blocks:
        is_private = any(each.version == network.version and network.subnet_of(each) for each in PRIVATE)
        for kind, unwanted in ("", NOWHERE), ("private ", [] if is_private else PRIVATE):
            for each in unwanted:
                if any(each.overlaps(part) for part in left):
                    system.refuse(f"{where}: {network} has the {kind}{each} in it")
        if is_private or not is_443:
            (private if is_private else public)[network.version].append((network, left))
    internet = "the Internet, " + ("by other ports than 443" if way == "out" else "which may call the gateway only")
    for kind, known, of_kind in (internet, KNOWN, public), ("more than a private network", KNOWN_PRIVATE, private):
        for version, found in of_kind.items():
            together = ipaddress.collapse_addresses(part for _, left in found for part in left)
            bits = {4: 32, 6: 128}[version]
            if sum(each.num_addresses for each in together) > 2 ** (bits - known[version]):
                more = f" with {len(found) - 1} more" if len(found) > 1 else ""
                prefix = "" if kind == internet else f" with a prefix of {known[version]}"
                system.refuse(f"{where}: {found[0][0]}{more} is {kind}{prefix}")


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
    policies = [each["spec"] for each in system.all("NetworkPolicy") if direction in types_of(each["spec"])]
    policies = [each for each in policies if matches(each["podSelector"] or {}, labels)]
    return not policies or any(permits(each.get(direction.lower()) or [], peer, port) for each in policies)


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
