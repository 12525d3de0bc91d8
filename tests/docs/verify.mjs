// node verify.mjs SAMPLE.mjs VECTORS: the sample's verify() judges each vector rightly.
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';

const {verify} = await import(resolve(process.argv[2]));
for (const vector of JSON.parse(readFileSync(process.argv[3], 'utf8'))) {
  const fields = {'webhook-id': vector.id, 'webhook-timestamp': vector.timestamp, 'webhook-signature': vector.signature};
  if (verify(vector.secret, fields, vector.body, vector.now) === vector.valid) continue;
  console.error(`TypeScript: ${vector.what}`);
  process.exitCode = 1;
}
