"""Whether the databases' servers have the connections that all pods together may take."""
import math
import os
import re

import yaml

from checks.network import hosts_of
from checks.shape import DRAIN

# The lanes of a pool, as common/chassis/settings.cpp has them. A replica has no writing one.
LANES = {"PARLEY_DATABASE_READ_CONNECTIONS": 2, "PARLEY_DATABASE_SLOW_CONNECTIONS": 3,
         "PARLEY_DATABASE_WRITE_CONNECTIONS": 8}
NOTICE = "PARLEY_DRAIN_NOTICE_MS"
# From a pod's start until it is ready: a probe's period, as the process itself needs less.
READY_SECONDS = 2
# What of servers.yaml names the users of a setting.
USES = {"services": "PARLEY_DATABASE_URL", "replica_for": "PARLEY_DATABASE_REPLICA_URL"}


def check(system):
    path = os.path.join(system.folder, "servers.yaml")
    if not os.path.exists(path):
        system.refuse("there is no servers.yaml beside the overlay, which says what connections the databases have")
        return
    with open(path) as file:
        servers = yaml.safe_load(file)
    for use, setting in USES.items():
        users = {each.service for each in system.ours if each.has(setting)}
        placed = [name for server in servers.values() for name in server.get(use, [])]
        for name in sorted(users | set(placed)):
            if name not in users:
                system.refuse(f"servers.yaml: {use} has {name}, which has no {setting}")
            elif placed.count(name) != 1:
                system.refuse(f"servers.yaml: {name} has to be in the {use} of one server, once")
    for name, server in servers.items():
        check_server(system, name, server)


def check_server(system, name, server):
    needed, terms, migrating = server["reserved"], [], set()
    for use, setting in USES.items():
        for workload in system.ours:
            if workload.service not in server.get(use, []) or not workload.has(setting):
                continue
            lanes = {lane: count for lane, count in LANES.items() if use == "services" or "WRITE" not in lane}
            pods, pool = most_pods(system, workload), sum(workload.number(*lane) for lane in lanes.items())
            needed += pods * pool
            terms.append(f"{workload.service} {pods} x {pool}")
            if use == "services":
                migrating.add(workload.program)
            url = workload.value(setting)
            if url and "host" in server and server["host"] not in [host for host, _ in hosts_of(url)]:
                system.refuse(f"{workload.where}: its database is not on {server['host']}, as servers.yaml has it")
    needed += len(migrating)
    if needed > server["max_connections"]:
        system.refuse(f"servers.yaml: {name} has {server['max_connections']} connections, and needed are {needed}: "
                      f"{' + '.join(terms)} + migrations {len(migrating)} + reserved {server['reserved']}")
    for workload in system.deployments:
        given = re.search(r"max_connections=(\d+)", " ".join(workload.container.get("args", [])))
        if given and workload.service == server.get("host") and int(given[1]) != server["max_connections"]:
            system.refuse(f"{workload.where} has max_connections={given[1]}, servers.yaml says"
                          f" {server['max_connections']}")


def most_pods(system, workload):
    """At its largest, and while it rolls. Those that leave no longer count for Kubernetes, which starts the next; who
    serves requests accepts them for a while yet, and so keeps its connections."""
    scale = system.scale_of(workload)
    pods = scale["maxReplicas"] if scale else workload.spec.get("replicas", 1)
    surge = workload.spec.get("strategy", {}).get("rollingUpdate", {}).get("maxSurge", "25%")
    if not isinstance(surge, int):
        surge = math.ceil(pods * int(surge.rstrip("%")) / 100)
    notice = workload.has("PARLEY_LISTEN") * workload.number(NOTICE, DRAIN[NOTICE]) / 1000
    step = workload.spec.get("minReadySeconds", 0) + READY_SECONDS
    return pods + surge + max(0, min(pods - 1, surge * math.ceil(notice / step)))
