"""How a service runs: probes, limits, security, its migration; and whether selectors find what they are for."""
import json
import re

from checks.system import matches

DRAIN = {"PARLEY_DRAIN_NOTICE_MS": 5000, "PARLEY_DRAIN_TIME_MS": 20000}  # as common/chassis/process.hpp has them
RESTRICTED = {
    "runAsNonRoot": True,
    "readOnlyRootFilesystem": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def check(system):
    for workload in system.workloads:
        check_security(system, workload)
    for workload in system.ours:
        check_ports(system, workload)
        check_room(system, workload)
        if workload.has("PARLEY_DATABASE_URL") and workload.service == workload.program:
            check_migration(system, workload)
    check_services(system)
    check_selectors(system)
    check_monitors(system)


def check_security(system, workload):
    security = {**workload.pod.get("securityContext", {}), **workload.container.get("securityContext", {})}
    for key, value in RESTRICTED.items():
        if security.get(key) != value:
            system.refuse(f"{workload.where}: securityContext.{key} is not {json.dumps(value)}")
    if workload.is_ours and workload.pod.get("automountServiceAccountToken") is not False:
        system.refuse(f"{workload.where}: it gets a ServiceAccount's token that it does not need")


def check_ports(system, workload):
    ports = {each.get("name"): each["containerPort"] for each in workload.container.get("ports", [])}
    for probe, path in ("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz"):
        asked = workload.container.get(probe, {}).get("httpGet", {})
        if asked.get("path") != path or ports.get(asked.get("port"), asked.get("port")) != ports.get("admin"):
            system.refuse(f"{workload.where}: {probe} has to ask {path} of the port `admin`")
    for setting, port in ("PARLEY_LISTEN", "http"), ("PARLEY_ADMIN_LISTEN", "admin"):
        listens = (workload.value(setting) or "").rpartition(":")[2]
        if listens != str(ports.get(port, "")):
            system.refuse(f"{workload.where}: {setting} and the container's port `{port}` are not the same")


def check_room(system, workload):
    resources = workload.container.get("resources", {})
    for part, key in ("requests", "cpu"), ("requests", "memory"), ("limits", "memory"):
        if key not in resources.get(part, {}):
            system.refuse(f"{workload.where}: there have to be requests of cpu and memory, and a limit of memory")
    if not any(matches(each["spec"]["selector"], workload.labels) for each in system.all("PodDisruptionBudget")):
        system.refuse(f"{workload.where}: no PodDisruptionBudget is for its pods")
    if system.scale_of(workload) and "replicas" in workload.spec:
        system.refuse(f"{workload.where}: its replicas are the autoscaler's: they must not be set")
    drain = sum(workload.number(name, default) for name, default in DRAIN.items()) / 1000
    if drain + 5 > workload.pod.get("terminationGracePeriodSeconds", 30):
        system.refuse(f"{workload.where}: terminationGracePeriodSeconds is less than the drain's {drain:g} s and 5 s"
                      " more")


def check_migration(system, workload):
    jobs = [each for each in system.workloads if each.kind == "Job" and each.program == workload.program]
    if not any(each.container.get("args") == ["migrate"] and each.image == workload.image for each in jobs):
        system.refuse(f"{workload.where}: no Job migrates with its image {workload.image}")
    for job in jobs:
        if not re.fullmatch(r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?", job.name):
            system.refuse(f"{job.where}: made of the image's tag, this is no name for a Job (63 of a-z 0-9 - .)")


def check_services(system):
    for each in system.all("Service"):
        where = f"Service {each['metadata']['name']}"
        selector = {"matchLabels": each["spec"]["selector"]}
        selected = [workload for workload in system.workloads if matches(selector, workload.labels)]
        if not selected:
            system.refuse(f"{where}: its selector matches no pod")
        for workload in selected:
            if workload.kind == "Job":
                system.refuse(f"{where}: it would send requests to {workload.where}")
            known = set()
            for port in workload.container.get("ports", []):
                known |= {port.get("name"), port["containerPort"]}
            for port in each["spec"]["ports"]:
                if port.get("targetPort", port["port"]) not in known:
                    system.refuse(f"{where}: {workload.where} has no port {port.get('targetPort', port['port'])}")


def check_selectors(system):
    pods = [each.labels for each in system.workloads]
    for each in system.all("PodDisruptionBudget", "NetworkPolicy"):
        spec = each["spec"]
        selectors = [spec.get("podSelector", spec.get("selector"))]
        for rule in spec.get("ingress", []) + spec.get("egress", []):
            for peer in rule.get("from", []) + rule.get("to", []):
                if "podSelector" in peer and "namespaceSelector" not in peer:
                    selectors.append(peer["podSelector"])
        for selector in selectors:
            if not any(matches(selector, labels) for labels in pods):
                system.refuse(f"{each['kind']} {each['metadata']['name']}: {json.dumps(selector)} matches no pod")
    for each in system.all("HorizontalPodAutoscaler"):
        spec, where = each["spec"], f"HorizontalPodAutoscaler {each['metadata']['name']}"
        if ("Deployment", spec["scaleTargetRef"]["name"]) not in system.named:
            system.refuse(f"{where}: there is no Deployment {spec['scaleTargetRef']['name']}")
        if spec["minReplicas"] > spec["maxReplicas"]:
            system.refuse(f"{where}: minReplicas is more than maxReplicas")


def check_monitors(system):
    for each in system.all("ServiceMonitor"):
        selector = each["spec"]["selector"]
        selected = [s for s in system.all("Service") if matches(selector, s["metadata"].get("labels", {}))]
        ports = {port.get("name") for service in selected for port in service["spec"]["ports"]}
        for endpoint in each["spec"]["endpoints"]:
            if endpoint["port"] not in ports:
                where = f"ServiceMonitor {each['metadata']['name']}"
                system.refuse(f"{where}: no Service that it selects has a port {endpoint['port']}")
