// Says what is wrong with an AsyncAPI document: node validate.mjs FILE, with @asyncapi/parser in NODE_PATH.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Parser } = createRequire(import.meta.url)("@asyncapi/parser");
const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
const wrong = diagnostics.filter(({ severity }) => severity < 2); // errors and warnings
for (const { path, message } of wrong) console.error(`${path.join("/")}: ${message}`);
process.exit(document && wrong.length === 0 ? 0 : 1);
