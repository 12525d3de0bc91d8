# python3 verify.py SAMPLE VECTORS: the sample's verify() judges each vector rightly.
import json, sys

sample = {}
exec(open(sys.argv[1]).read(), sample)
wrong = 0
for vector in json.load(open(sys.argv[2])):
    fields = {"webhook-id": vector["id"], "webhook-timestamp": vector["timestamp"], "webhook-signature": vector["signature"]}
    if sample["verify"](vector["secret"], fields, vector["body"].encode(), vector["now"]) != vector["valid"]:
        print("Python:", vector["what"], file=sys.stderr)
        wrong += 1
sys.exit(wrong > 0)
