"""What an overlay renders to, and every workload's settings and files as its process will see them."""
import base64
import re
import shutil
import subprocess
import sys

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PROGRAMS = {"gateway", "contacts", "conversations", "organizations", "analytics"}
# The settings that have to be files of a Secret, and what one is taken for that only the cluster knows.
SECRETS = {
    "PARLEY_DATABASE_URL": "postgresql://role:hidden@unknown.invalid:5432/parley",
    "PARLEY_DATABASE_REPLICA_URL": "postgresql://role:hidden@unknown.invalid:5432/parley",
    "PARLEY_REDIS_URL": "rediss://unknown.invalid:6379/0",
    "PARLEY_IDENTITY_KEY": base64.b64encode(bytes(range(32))).decode(),
    "PARLEY_ENCRYPTION_KEYS": "first:" + base64.b64encode(bytes(range(32))).decode(),
    "PARLEY_CHANNEL_APP_SECRET": "0123456789abcdef" * 3,
    "PARLEY_CHANNEL_VERIFY_TOKEN": "0123456789abcdef" * 3,
    "PARLEY_SMTP_URL": "smtp://user:hidden@unknown.invalid:587",
    "PARLEY_MEDIA_URL": "s3://key:hidden@unknown.invalid/bucket",
    "PARLEY_TRACES_HEADERS": "",
}


def die(text):
    print(f"check: {text}", file=sys.stderr)
    sys.exit(2)


def renderer():
    """The command that renders a folder, or None. kubectl before 1.27 has a kustomize that knows too little."""
    kubectl = ["kubectl", "kustomize"], ["kubectl", "version", "--client"]
    kustomize = ["kustomize", "build"], ["kustomize", "version"]
    for command, version in kubectl, kustomize:
        if shutil.which(command[0]):
            said = subprocess.run(version, capture_output=True, text=True).stdout
            if re.search(r"(Kustomize Version: |^)v[5-9]\.", said):
                return command
    return None


def render(folder):
    command = renderer() or die("there is neither a kubectl (1.27 or newer) nor a kustomize (5 or newer)")
    done = subprocess.run(command + [folder], capture_output=True, text=True)
    if done.returncode:
        die(f"{folder} cannot be rendered: {done.stderr.strip()}")
    return [each for each in yaml.load_all(done.stdout, LOADER) if each]


def matches(selector, labels):
    """A label selector, as of a NetworkPolicy or a PodDisruptionBudget."""
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    for each in selector.get("matchExpressions") or []:
        inside = labels.get(each["key"]) in each["values"] if "values" in each else each["key"] in labels
        if inside != (each["operator"] in ("In", "Exists")):
            return False
    return True


class Workload:
    """A Deployment or a Job: one container, its settings, and the files that it sees."""

    def __init__(self, system, object):
        self.kind, self.name, self.spec = object["kind"], object["metadata"]["name"], object["spec"]
        self.where = f"{self.kind} {self.name}"
        template = self.spec["template"]
        self.labels = template["metadata"].get("labels", {})
        self.pod = template["spec"]
        self.container = self.pod["containers"][0]
        self.image = self.container["image"]
        self.program = re.sub(r"[:@].*$", "", self.image.rsplit("/", 1)[-1]).removeprefix("parley-")
        self.is_ours = self.program in PROGRAMS
        self.service = self.labels.get("app.kubernetes.io/name", self.name)
        self.environment = self.read_environment(system)
        self.files = self.read_files(system)  # path -> content, None for what only the cluster knows

    def read_environment(self, system):
        out = {}
        for source in self.container.get("envFrom", []):
            kind = "ConfigMap" if "configMapRef" in source else "Secret"
            reference = source.get("configMapRef") or source["secretRef"]
            out.update(system.data(kind, reference["name"], self.where))
        for each in self.container.get("env", []):
            reference = each.get("valueFrom", {}).get("secretKeyRef")
            if reference:
                found = system.data("Secret", reference["name"], self.where, [reference["key"]])
                out[each["name"]] = found[reference["key"]]
            else:
                out[each["name"]] = each.get("value", "")
        return out

    def read_files(self, system):
        out, volumes = {}, {each["name"]: each for each in self.pod.get("volumes", [])}
        for mount in self.container.get("volumeMounts", []):
            volume = volumes.get(mount["name"])
            if not volume:
                system.refuse(f"{self.where}: there is no volume {mount['name']}")
                continue
            for kind, key, name in ("Secret", "secret", "secretName"), ("ConfigMap", "configMap", "name"):
                if key not in volume:
                    continue
                paths = {each["key"]: each["path"] for each in volume[key].get("items", [])}
                for each, content in system.data(kind, volume[key][name], self.where, list(paths)).items():
                    if each in paths or not paths:
                        out[f"{mount['mountPath']}/{paths.get(each, each)}"] = content
        return out

    def value(self, name):
        """A setting; None when it is not set or only the cluster knows it."""
        if name in self.environment:
            return self.environment[name]
        return self.files.get(self.environment.get(name + "_FILE"))

    def has(self, name):
        return name in self.environment or name + "_FILE" in self.environment

    def number(self, name, default):
        text = self.value(name)
        return int(text) if text and text.isdigit() else default


class System:
    """What one overlay renders to, and what is wrong with it."""

    def __init__(self, folder, objects):
        self.folder, self.objects = folder, objects
        self.faults = []
        self.not_seen = {}  # Secrets that are in the cluster only, and the keys that they have to have
        self.placeholders = set()  # (workload, setting)
        self.named = {(each["kind"], each["metadata"]["name"]): each for each in objects}
        self.workloads = [Workload(self, each) for each in self.all("Deployment", "Job", "StatefulSet")]
        self.deployments = [each for each in self.workloads if each.kind != "Job"]
        self.ours = [each for each in self.deployments if each.is_ours]

    def refuse(self, text):
        if text not in self.faults:
            self.faults.append(text)

    def all(self, *kinds):
        return [each for each in self.objects if each["kind"] in kinds]

    def data(self, kind, name, where, keys=()):
        """Of a ConfigMap or a Secret, with the keys at least."""
        found = self.named.get((kind, name))
        if not found:
            if kind == "ConfigMap":
                self.refuse(f"{where}: there is no ConfigMap {name}")
            else:
                self.not_seen.setdefault(name, set()).update(keys)
            return dict.fromkeys(keys)
        out = dict(found.get("data") or {})
        if kind == "Secret":
            out = {key: base64.b64decode(value).decode(errors="replace") for key, value in out.items()}
        for key in keys:
            if key not in out:
                self.refuse(f"{where}: {kind} {name} has no {key}")
                out[key] = None
        return out

    def scale_of(self, workload):
        """Its autoscaler's specification, or None."""
        found = [each["spec"] for each in self.all("HorizontalPodAutoscaler")]
        return next((each for each in found if each["scaleTargetRef"]["name"] == workload.name), None)
