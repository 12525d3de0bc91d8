# The lines that record() wrote, gathered into the rows of the table and the notes below it.
def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def digits: if . >= 100 then round elif . >= 1 then . * 100 | round / 100 else . * 1000 | round / 1000 end;
def of($row; $who; $key): map(select(.row == $row and .who == $who) | .[$key]);
# `sign` 1: at least the goal; -1: at most.
def row($name; $row; $ours; $theirs; $key; $goal; $sign):
  of($row; $ours; $key) as $a | of($row; $theirs; $key) as $b
  | select($a != [])
  | ([$a, $b] | transpose | map(.[0] / .[1]) | median * 1000 | round / 1000) as $ratio
  | { name: $name, ours: ($a | median | digits), theirs: ($b | median | digits), ratio: $ratio,
      goal: $goal, goal_text: ((if $sign > 0 then ">= " else "<= " end) + ($goal | tostring)),
      met: ($ratio * $sign >= $goal * $sign) };
# Against a bound instead of something that was measured: at most it in every round.
def bounded($name; $row; $who; $key; $bound):
  of($row; $who; $key) | select(. != []) | max as $most
  | { name: $name, ours: ($most | digits), theirs: $bound, ratio: ($most / $bound * 1000 | round / 1000), goal: 1,
      goal_text: "<= 1", met: ($most <= $bound) };
# At least, or at most, the bound in the median round.
def within($name; $row; $who; $key; $bound):
  of($row; $who; $key) | select(. != []) | median as $reached
  | { name: $name, ours: ($reached | digits), theirs: $bound, ratio: ($reached / $bound * 1000 | round / 1000), goal: 1,
      goal_text: "<= 1", met: ($reached <= $bound) };
def reached($name; $row; $who; $key; $bound):
  of($row; $who; $key) | select(. != []) | median as $reached
  | { name: $name, ours: ($reached | digits), theirs: $bound, ratio: ($reached / $bound * 1000 | round / 1000), goal: 1,
      goal_text: ">= 1", met: ($reached >= $bound) };
# Recipients of the campaigns that were sent.
def sizes: map(.row | capture("^dispatch (?<n>[0-9]+)$").n | tonumber) | unique;
def cpu($row; $who):
  [.[] | select(.row == $row and .who == $who) | .cpu] as $all
  | [$all[0] | keys_unsorted[] as $name | "\($name) \([$all[][$name]] | median)"] | join(", ");
# The note, if its rows were measured.
def about($row; note): if any(.[]; .row == $row) then note else empty end;
def fastify($row):
  (map(select(.row == "fastify " + $row))[0]) as $form
  | "statements " + (if $form.pipeline == "1" then "pipelined on 4 shared connections" else "each on a free one of a pg.Pool of 4" end)
    + ", answers by " + (if $form.schema == "1" then "fast-json-stringify" else "JSON.stringify" end);

{ rows: [
    row("GET one contact, requests/s: against the limit"; "contact"; "ours"; "limit"; "rate"; 0.75; 1),
    row("GET one contact, requests/s: against pgbench"; "contact"; "ours"; "pgbench"; "rate"; 1.2; 1),
    row("GET one contact, requests/s: pgbench, pipelined"; "contact"; "ours"; "pipeline"; "rate"; 0.75; 1),
    row("GET one contact, requests/s: against Fastify + pg"; "contact"; "ours"; "fastify"; "rate"; 2.5; 1),
    row("GET one contact, MiB of memory: against Fastify + pg"; "memory"; "ours"; "fastify"; "shared"; 0.2; -1),
    row("gateway's hop, requests/s: against nginx"; "hop contact"; "gateway"; "nginx"; "rate"; 1; 1),
    row("gateway's hop, p99 in ms: against nginx"; "hop contact"; "gateway"; "nginx"; "p99"; 1; -1),
    row("gateway's hop to a refusal, requests/s: nginx"; "hop refusal"; "gateway"; "nginx"; "rate"; 1; 1),
    row("gateway's hop to a refusal, p99 in ms: nginx"; "hop refusal"; "gateway"; "nginx"; "p99"; 1; -1),
    row("page of 20, requests/s: against the limit"; "list"; "ours"; "limit"; "rate"; 0.75; 1),
    row("page of 20, requests/s: against Fastify + pg"; "list"; "ours"; "fastify"; "rate"; 3; 1),
    within("one contact at half the rate, p99.9 in ms: against 25"; "steady"; "nothing"; "p999"; 25),
    row("the same beside an export, p99.9 in ms: alone"; "steady"; "export"; "nothing"; "p999"; 2; -1),
    row("the same beside a search, p99.9 in ms: alone"; "steady"; "search"; "nothing"; "p999"; 2; -1),
    row("the same beside an import, p99.9 in ms: alone"; "steady"; "import"; "nothing"; "p999"; 2; -1),
    reached("inbox, 8 clients, pages/s: against 500"; "inbox"; "ours"; "rate"; 500),
    row("import of \($many) rows, rows/s: against psql copy"; "import"; "ours"; "copy"; "rate"; 0.4; 1),
    bounded("the same, MiB resident at most: against 64"; "import"; "ours"; "peak"; 64),
    row("first page and total of \($many), ms: against \($few)"; "page"; "large"; "small"; "p50"; 1.3; -1),
    row("page at depth \($many * 9 / 10), ms: against the first"; "depth"; "deep"; "first"; "p50"; 1.3; -1),
    row("search for a name in \($many), ms: in \($few)"; "search name"; "large"; "small"; "p50"; 3; -1),
    row("search for a phone in \($many), ms: in \($few)"; "search phone"; "large"; "small"; "p50"; 3; -1),
    reached("contacts created, 8 clients, 1/s: against 1500"; "creates"; "in no list"; "rate"; 1500),
    row("contacts created in one list, 1/s: in none"; "creates"; "in one list"; "in no list"; "rate"; 0.7; 1),
    row("webhooks taken in, requests/s: against pgbench"; "webhooks"; "ours"; "pgbench"; "rate"; 1.2; 1),
    bounded("at half of that load, p50 in ms: against 10"; "webhooks at half"; "ours"; "p50"; 10),
    reached("webhooks of strangers applied, 1/s: against 4500"; "applied"; "ours"; "rate"; 4500),
    row("links followed, requests/s: against GET one contact"; "redirects"; "ours"; "contact"; "rate"; 0.667; 1),
    row("audience of \($many), contacts/s: against their import"; "audience"; "ours"; "import"; "rate"; 5; 1),
    bounded("the same, MiB resident at most: against 64"; "audience"; "ours"; "peak"; 64),
    row("a year of \($messages) messages, ms: against raw rows"; "report"; "ours"; "raw"; "p50"; 0.01; -1),
    reached("events applied by analytics, changes/s: against 20000"; "events"; "ours"; "rate"; 20000),
    bounded("slowest of all queries of \($many) contacts, ms: 50"; "growth"; "ours"; "p50"; 50),
    within("exact recipients of a draft to \($many), ms: against 2000"; "count"; "ours"; "p50"; 2000),
    reached("a tag for each of \($many) contacts, 1/s: against 5000"; "bulk"; "ours"; "rate"; 5000),
    (sizes[] as $count | reached("a campaign to \($count), messages/s: against 6000"; "dispatch \($count)"; "ours"; "rate"; 6000)),
    (sizes | select(. != []) | last) as $most
    | row("the same to \($most), messages/s: against \($few)"; "dispatch flat"; "large"; "small"; "rate"; 0.8; 1),
      bounded("the same, MiB of the dispatcher: against 64"; "dispatch \($most)"; "ours"; "peak"; 64)
  ],
  notes: [
    "Same rows, one plan a statement for all; answers compared before. Fastify and pgbench send opponents.sql, the limit the services' own statements. wrk: 1 thread, 32 connections; a random contact of 10000.",
    "Ours: contacts asks PostgreSQL and conversations at once; 2 pipelined connections of each service read; each request's identity is verified; one snapshot a service.",
    about("contact"; "The limit: parley-bench-limit sends what contacts and conversations send to PostgreSQL for one request at a time (compared with its log before), by as many connections, 32 requests in flight, and does nothing with the rows."),
    about("contact"; "pgbench: the 4 statements one after another, or pipelined with one sync a contact; -M prepared, 8 clients, 2 threads; ids read 5 at a time, which counts as statements done."),
    about("contact"; "Fastify: one process, 4 connections, all 4 statements at once without a transaction, named (prepared); no identity, log or metrics. The fastest form is measured: one contact: " + fastify("contact") + "."),
    about("list"; "A page, Fastify's fastest form: " + fastify("list") + "."),
    about("contact"; "Memory: contacts and conversations together, after the load, against the Fastify process; proportional set size: a page of a library that several processes share is divided among them. Counted whole for each of them (resident set size): "
      + "\(of("memory"; "ours"; "resident") | median | digits) against \(of("memory"; "fastify"; "resident") | median | digits)."),
    about("hop contact"; "nginx: 1 worker, keepalive 64, buffered JSON log, limit_req; adds a constant identity and a request id. The refusal is a 404 that contacts gives without the database."),
    about("import"; "Import: from the upload's first octet until the import is Finished, one file of name, phone and two attributes, into the table with the rows of the other tests, with its indexes;"
      + " \\copy: the same rows as the table's columns, into an empty table with the same columns and checks, then the same indexes one after another: load, then index. Memory: the highest that the kernel saw."),
    about("page"; "\($many) against \($few): two organizations of one table, both without lists, tags and conversations, p50; by the same wrk as above. One contact is found."),
    about("contact"; "CPU microseconds a request: contact: ours: " + cpu("contact"; "ours") + "; the limit: " + cpu("contact"; "limit") + "; pgbench: " + cpu("contact"; "pgbench")
      + "; pipelined: " + cpu("contact"; "pipeline") + "; Fastify: " + cpu("contact"; "fastify") + "."),
    about("list"; "CPU microseconds a page: ours: " + cpu("list"; "ours") + "; the limit: " + cpu("list"; "limit") + "; Fastify: " + cpu("list"; "fastify") + "."),
    about("hop contact"; "CPU microseconds a request: hop: ours: " + cpu("hop contact"; "gateway") + "; nginx: " + cpu("hop contact"; "nginx")
      + ". To a refusal: ours: " + cpu("hop refusal"; "gateway") + "; nginx: " + cpu("hop refusal"; "nginx") + "."),
    about("steady"; "Half the rate: of what wrk reached through the gateway in the same round (median: \(of("steady"; "nothing"; "rate") | median | round)/s asked for and answered), by an open loop: requests begin on time whatever the answers do, latency counts from that time."
      + " p50 / p99 / p99.9 in ms: " + ([("nothing", "export", "search", "import") as $work | "\($work) " + ([("p50", "p99", "p999") as $key | of("steady"; $work; $key) | median | digits | tostring] | join(" / "))] | join("; "))
      + ". Beside: another organization's export of \($many) contacts, its search that sorts an eleventh of them, or imports, one after another."),
    about("inbox"; "Inbox: GET /api/conversations of conversations itself, which asks contacts for its parts. CPU microseconds a page: " + cpu("inbox"; "ours") + "."),
    about("creates"; "Creates: POST /api/contacts of contacts itself, one contact a request. CPU microseconds a contact: in no list: " + cpu("creates"; "in no list") + "; in one list: " + cpu("creates"; "in one list") + "."),
    about("webhooks"; "Webhooks: one signed text message a request, 32 connections; each is in PostgreSQL, with synchronous commit, before it is answered. pgbench: 32 clients, -M prepared, the same bodies,"
      + " into a table with the same indexes. CPU microseconds a request: ours: " + cpu("webhooks"; "ours") + "; pgbench: " + cpu("webhooks"; "pgbench") + "."),
    about("applied"; "Applied: from the queue to rows of messages, conversations and contacts, by one dispatcher; from the first webhook that left the queue to the last."),
    about("redirects"; "Links: through the gateway both, one URL and 100000 recipients at random; each click is in PostgreSQL, with synchronous commit, before its answer. CPU microseconds a request: links: "
      + cpu("redirects"; "ours") + "; contact: " + cpu("redirects"; "contact") + "."),
    about("visible"; "From posting a webhook at the gateway until GET /api/messages shows its message, one after another, by a dispatcher that looks for new ones by itself: "
      + (map(select(.row == "visible"))[0] | "p50 \(.p50) ms, p95 \(.p95) ms.")),
    about("audience"; "Audience: from the start of a campaign to a list of all that were imported, with two variables, until its messages could be sent, one dispatcher. Memory: contacts or the dispatcher, the highest that the kernel saw."),
    about("report"; "A year: 300 campaigns, answers compared; ours is the whole report by HTTP, with its 365 days, one after another. Events: 50 changes a transaction; by transactions of one: \(of("single events"; "ours"; "rate") | median | digits)/s."),
    about("growth"; "Every documented query, one after another through the gateway; the slowest, in ms (the first time in brackets): "
      + (map(select(.row == "growth")) | sort_by(-.p50) | .[:10] | map("\(.p50) (\(.first)) \(.target)") | join(", ")) + "."),
    about("dispatch flat"; "Campaigns: one dispatcher without pacing, a template with two parameters; recipients are there when it begins, and the simulator tells no statuses. From the first that it took to the last."
      + " CPU microseconds a message: \(cpu("dispatch \(sizes | last)"; "ours")). Memory: the highest seen, as above.")
  ] }
