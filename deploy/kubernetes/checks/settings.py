"""Settings: placeholders, secrets that are none, keys that do not fit, and what the programs themselves say."""
import base64
import os
import re
import subprocess
import tempfile
import urllib.parse

from checks.network import calls_of
from checks.system import PROGRAMS, SECRETS

CA = "/etc/parley/stores/ca.crt"  # as components/stores-tls mounts it
PLACEHOLDER = re.compile(
    r"change-?me|replace|placeholder|\bexample\b|todo|x{4}|:(secret|password)@|^(secret|password)$", re.I)
PEM = re.compile("-----BEGIN .*?-----END [^-]*-----", re.S)  # any letters may follow each other in it


def check(system):
    check_placeholders(system)
    check_secrets(system)
    check_stores(system)
    check_identities(system)
    check_rates(system)


def check_placeholders(system):
    for workload in system.workloads:
        texts = dict(workload.environment)
        if workload.is_ours:
            texts.update(workload.files)
        texts[f"the image {workload.image}"] = workload.image
        for name, text in texts.items():
            if text and PLACEHOLDER.search(PEM.sub("", text)):
                system.refuse(f"{workload.where}: {name} has a placeholder")
                system.placeholders.add((workload.where, name.removesuffix("_FILE")))
    for each in system.all("Ingress", "HTTPRoute"):
        texts = [rule.get("host", "") for rule in each["spec"].get("rules", [])] + each["spec"].get("hostnames", [])
        texts += [str(value) for parent in each["spec"].get("parentRefs", []) for value in parent.values()]
        if any(PLACEHOLDER.search(text) for text in texts):
            system.refuse(f"{each['kind']} {each['metadata']['name']} has a placeholder")


def check_secrets(system):
    for workload in system.workloads:
        for name, value in workload.environment.items() if workload.is_ours else ():
            if name in SECRETS:
                system.refuse(f"{workload.where}: {name} is in the environment: give {name}_FILE, a file of a Secret")
            if name.removesuffix("_FILE") in SECRETS and name not in SECRETS and value not in workload.files:
                system.refuse(f"{workload.where}: {name} is {value}, where no file is mounted")
    for each in system.all("Ingress"):
        for tls in each["spec"].get("tls", []):
            system.data("Secret", tls["secretName"], f"Ingress {each['metadata']['name']}", ["tls.crt", "tls.key"])
    with_one = [each for each in system.deployments if each.has("PARLEY_CHANNEL_APP_SECRET")]
    secrets = {each.value("PARLEY_CHANNEL_APP_SECRET") for each in with_one} - {None}
    if len({each.split(",")[0].strip() for each in secrets}) > 1:
        system.refuse("PARLEY_CHANNEL_APP_SECRET is not the same everywhere: signed webhooks would be refused")


def check_stores(system):
    """Where authorities for PostgreSQL and Redis are mounted (components/stores-tls), they are what verifies these."""
    for workload in system.workloads:
        if not workload.is_ours:
            continue
        for name in "PARLEY_DATABASE_URL", "PARLEY_DATABASE_REPLICA_URL":
            url = workload.value(name)
            if url is None:
                continue
            options = dict(re.findall(r"[?&\s](sslmode|sslrootcert)=([^&\s]+)", urllib.parse.unquote(url)))
            mode, file = options.get("sslmode", ""), options.get("sslrootcert")
            if (file or mode.startswith("verify")) and file not in workload.files:
                system.refuse(f"{workload.where}: {name} has sslrootcert={file}, where no file is mounted")
            if CA in workload.files and mode != "verify-full":
                system.refuse(f"{workload.where}: {name} has not sslmode=verify-full, which {CA} is mounted for")
        if CA in workload.files and workload.has("PARLEY_REDIS_URL") and not workload.has("PARLEY_REDIS_CA"):
            system.refuse(f"{workload.where}: PARLEY_REDIS_CA_FILE is not set, which {CA} is mounted for")


def public_key(private):
    """Of an Ed25519 seed, in base64; None when it is none. RFC 8410 says what stands before the seed."""
    try:
        seed = base64.b64decode(private, validate=True)
    except ValueError:
        return None
    if len(seed) != 32:
        return None
    command = ["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"]
    key = bytes.fromhex("302e020100300506032b657004220420") + seed
    return base64.b64encode(subprocess.run(command, input=key, capture_output=True, check=True).stdout[-32:]).decode()


def check_identities(system):
    """Whoever is called has to know the caller's key; while keys are replaced it knows two of a name."""
    trusted = {}
    for workload in system.ours:
        keys = trusted.setdefault(workload.service, {})
        for entry in (workload.value("PARLEY_IDENTITY_TRUSTED") or "").split(","):
            name, _, key = entry.partition("=")
            keys.setdefault(name, set()).add(key)
    for workload in system.ours:
        private = workload.value("PARLEY_IDENTITY_KEY")
        public = public_key(private.strip()) if private else None
        if private and not public:
            system.refuse(f"{workload.where}: PARLEY_IDENTITY_KEY is no base64 of 32 octets")
        for setting, _ in calls_of(workload):
            called = setting.removeprefix("PARLEY_").removesuffix("_URL").lower()
            if called not in PROGRAMS or (f"Deployment {called}", "PARLEY_IDENTITY_TRUSTED") in system.placeholders:
                continue
            known = trusted.get(called, {}).get(workload.program)
            if not known:
                system.refuse(f"{workload.where} calls {called}, whose PARLEY_IDENTITY_TRUSTED has no key of"
                              f" {workload.program}")
            elif public and public not in known:
                system.refuse(f"{workload.where}: its PARLEY_IDENTITY_KEY is not the half of the key of"
                              f" {workload.program} that {called} trusts")


def check_rates(system):
    """Without Redis each gateway lets through its share of the rate: the shares have to make no more than the whole."""
    for workload in system.ours:
        scale, share = system.scale_of(workload), workload.number("PARLEY_RATE_REPLICAS", 1)
        if workload.service == "gateway" and scale and share < scale["minReplicas"]:
            system.refuse(f"{workload.where}: PARLEY_RATE_REPLICAS is less than its autoscaler's minReplicas")


def ask_programs(system, binaries):
    """The programs themselves judge their settings. Returns those that are not there to be asked."""
    missing = set()
    for workload in system.ours:
        program = os.path.join(binaries, f"parley-{workload.program}")
        if not os.access(program, os.X_OK):
            missing.add(program)
            continue
        for line in ask(program, workload):
            if not any(place == workload.where and f" {name} " in f" {line} " for place, name in system.placeholders):
                system.refuse(f"{workload.where}: {line}")
    return missing


def ask(program, workload):
    """The lines in which --check-config tells of mistakes, and of settings that it does not know."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {}
        for name, value in workload.environment.items():
            if name.endswith("_FILE") and value in workload.files:
                content = workload.files[value]
                value = os.path.join(folder, name)
                with open(value, "w") as file:
                    file.write(SECRETS.get(name.removesuffix("_FILE"), "") if content is None else content)
            environment[name] = value or ""
        command = [program, *workload.container.get("args", []), "--check-config"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)
    lines = (done.stderr + done.stdout).replace(folder + "/", "").splitlines()
    return [line for line in lines if done.returncode or line.endswith("is not read by this program")]
