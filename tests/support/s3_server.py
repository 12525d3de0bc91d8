# An S3 server for tests: OpenStack Swift with its s3api, all of it in this process, with the objects in memory. Prints "ready"
# once the bucket is there.
#
#   python3 -I -c TEXT '{"port": ..., "key": ..., "secret": ..., "bucket": ..., "directory": ...}'
import array
import json
import logging
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from paste.deploy import loadapp as load_part  # noqa: E402
from swift.common import utils  # noqa: E402

given = json.loads(sys.argv[1])
directory = given["directory"]


def write(name, text):
    with open(os.path.join(directory, name), "w", encoding="ascii") as file:
        file.write(text)


# Before any other part of Swift looks for it in /etc.
write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = only\ndefault = yes\n")
utils.set_swift_dir(directory)

from swift.account.server import AccountController  # noqa: E402
from swift.common.ring import RingData  # noqa: E402
from swift.common.swob import Request  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.mem_server import ObjectController  # noqa: E402

quiet = logging.getLogger("quiet")
quiet.addHandler(logging.NullHandler())
quiet.propagate = False


def serve(make, port):
    listener = eventlet.listen(("127.0.0.1", port))
    app = make(listener.getsockname()[1])
    eventlet.spawn(wsgi.server, listener, app, log=quiet, max_size=64)
    return listener.getsockname()[1]


def storage(controller):
    conf = {"swift_dir": directory, "devices": os.path.join(directory, "nodes"), "mount_check": "false"}
    return serve(lambda port: controller({**conf, "bind_port": str(port)}), 0)


os.makedirs(os.path.join(directory, "nodes", "disk"), exist_ok=True)
for kind, controller in (("account", AccountController), ("container", ContainerController), ("object", ObjectController)):
    device = {"id": 0, "region": 1, "zone": 1, "weight": 1.0, "ip": "127.0.0.1", "port": storage(controller), "device": "disk"}
    device |= {"replication_ip": device["ip"], "replication_port": device["port"], "meta": ""}
    RingData([array.array("H", [0])], [device], 32).save(os.path.join(directory, kind + ".ring.gz"))

write(
    "proxy.conf",
    f"""[DEFAULT]
swift_dir = {directory}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth slo proxy-server
[pipeline:open]
pipeline = proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{given["key"].replace(":", "_")} = {given["secret"]} .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = yes
""",
)
account = "AUTH_" + given["key"].split(":")[0]
made = Request.blank(f"/v1/{account}/{given['bucket']}", {"REQUEST_METHOD": "PUT"}).get_response(
    load_part("config:" + os.path.join(directory, "proxy.conf"), name="open")
)
if made.status_int // 100 != 2:
    sys.exit(f"no bucket: {made.status}")
serve(lambda port: loadapp(os.path.join(directory, "proxy.conf")), given["port"])
print("ready", flush=True)
while True:
    eventlet.sleep(3600)
