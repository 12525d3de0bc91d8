# shellcheck shell=bash
# Imports against psql's \copy and the indexes made after it, and pages and searches of a large organization against a small
# one, both filled by imports. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # many, few, .. are run's

# new_owner NAME: {"organizationId","apiKey",..} of a new organization.
new_owner() {
  (set_environment_of organizations && "$binaries/parley-organizations" create-owner --name Bench \
    --email "$1@example.org" --organization "$1" </dev/null) || fail "parley-organizations create-owner failed"
}
# new_organization NAME: its id.
new_organization() { new_owner "$1" | jq -er .organizationId; }

# csv_rows COUNT [ORGANIZATION [AFTER]]: name, phone, city and plan of contacts.sql's contacts AFTER + 1 to AFTER + COUNT, in no
# order; no other has the phone of one. With an organization: the columns of the table instead.
csv_rows() {
  awk -v count="$1" -v organization="${2:-}" -v after="${3:-0}" '
    BEGIN {
      split("Ana Bruno Chloé Dmitri Elif Farid Grace Hana Ivan Jürgen", first, " ")
      split("Silva Okafor Nguyễn Müller Rossi Kaya Haddad Sato Petrov Smith Dubois", last, " ")
      split("Paris Berlin Lagos Lima", city, " "); split("free pro", plan, " ")
      if (organization == "") print "name,phone,city,plan"
      for (i = 1; i <= count; i++) {
        n = after + (i * 7919) % count + 1  # 7919 is a prime that divides no count used here
        name = first[1 + n % 10] " " last[1 + n % 11] " " n
        if (organization == "") printf "%s,+4917%08d,%s,%s\n", name, n, city[1 + n % 4], plan[1 + n % 2]
        else printf "%s,%08x-0000-7000-8000-%012x,%s,+4917%08d,\"{\"\"city\"\": \"\"%s\"\", \"\"plan\"\": \"\"%s\"\"}\"\n",
          organization, i, i, name, n, city[1 + n % 4], plan[1 + n % 2]
      }
    }'
}

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }'; }

# import_rows ORGANIZATION FILE COUNT: from the upload's first octet until the import says that it is finished. Gives rows a
# second and, as the processor and memory are the import's alone, the most that contacts had resident (MiB). Asks every `pause`
# seconds, which costs processor time: 0.2 if the caller has none.
import_rows() {
  local organization=$1 file=$2 count=$3 process identity location from answer
  process=$(pid_of contacts)
  identity="Parley-Identity: $(token contacts)"
  echo 5 >"/proc/$process/clear_refs" # forgets the highest VmRSS
  from=$EPOCHREALTIME
  location=$(curl -q --noproxy '*' -sS -f -X POST -T "$file" -H "$identity" -H 'Content-Type: text/csv' -H 'Expect:' \
    -o /dev/null -w '%header{location}' "http://127.0.0.1:${port[contacts]}/api/contacts/imports") || fail "the upload failed"
  while answer=$(call -f -H "$identity" "http://127.0.0.1:${port[contacts]}$location") &&
    [[ $answer == *'"status":"'@(Queued|Running)'"'* ]]; do sleep "${pause:-0.2}"; done
  [[ $(jq -r '.import | "\(.status) \(.imported)"' <<<"$answer") == "Finished $count" ]] || fail "the import did not finish: $answer"
  jq -nc --argjson seconds "$(seconds_since "$from")" --argjson count "$count" \
    --argjson peak "$(awk '/^VmHWM/ { print $2 }' "/proc/$process/status")" '{rate: ($count / $seconds), peak: ($peak / 1024)}'
}

# copy_rows FILE COUNT: into an empty table that has the columns and checks of contacts', which gets the same indexes then: as
# fast as rows can be loaded where nobody else uses the table.
copy_rows() {
  local from rate
  sql -c 'set client_min_messages = warning; drop table if exists contacts.bench_copy; create table contacts.bench_copy (like contacts.contact including all excluding indexes)'
  from=$EPOCHREALTIME
  PGOPTIONS='-c search_path=contacts' sql -q >/dev/null <<END || fail "\\copy failed"
\\copy bench_copy (organization_id, id, name, phone, attributes) from '$1' csv
select regexp_replace(pg_get_indexdef(indexrelid), ' INDEX .* ON \\S+ ', ' INDEX ON bench_copy ') from pg_index
where indrelid = 'contact'::regclass
\\gexec
END
  rate=$(jq -nc --argjson seconds "$(seconds_since "$from")" --argjson count "$2" '{rate: ($count / $seconds)}')
  sql -c 'drop table contacts.bench_copy'
  printf '%s' "$rate"
}

# Leaves two organizations: `large` with `many` contacts, `small` with `few`.
import_round() {
  local owner
  step "importing $many rows, and the same with \\copy"
  csv_rows "$many" >"$state/import.csv"
  csv_rows "$many" 00000000-0000-7000-8000-000000000001 >"$state/copy.csv"
  csv_rows "$few" >"$state/few.csv"
  owner=$(new_owner large)
  large=$(jq -er .organizationId <<<"$owner")
  large_key=$(jq -er .apiKey <<<"$owner")
  small=$(new_organization small)
  record import ours "$(import_rows "$large" "$state/import.csv" "$many")"
  record import copy "$(copy_rows "$state/copy.csv" "$many")"
  import_rows "$small" "$state/few.csv" "$few" >/dev/null
  rm -f "$state/import.csv" "$state/copy.csv" "$state/few.csv"
  sql -c 'vacuum analyze contacts.contact' -c checkpoint
}

# The target of the page that begins behind record COUNT: the cursor behind the first, with the id of that record. To skip so
# many is not allowed.
page_behind() {
  local cursor id
  cursor=$(call -f -D - -o /dev/null -H "Parley-Identity: $(token contacts)" "http://127.0.0.1:${port[contacts]}/api/contacts?per_page=1" |
    sed -n 's/^[Ll]ink:.*cursor=\([^>&]*\)>; rel="next".*/\1/p')
  id=$(sql -At -c "select id from contacts.contact where organization_id = '$organization' order by id desc offset $(($1 - 1)) limit 1")
  cursor=$({ basenc -d --base64url <<<"$cursor" | head -c "-${#id}" && printf '%s' "$id"; } | basenc --base64url -w0)
  printf '/api/contacts?per_page=20&cursor=%s' "$cursor"
}

# The name of the last contact whose last name is Müller, as people would type it: the one contact that has it.
only_one() {
  local number=$1
  while ((number % 11 != 3)); do number=$((number - 1)); done
  printf 'muller+%s' "$number"
}

size_rounds() {
  local round first deep few_found many_found
  deep=$(organization=$large page_behind $((many * 9 / 10)))
  [[ $deep == *cursor=* ]] || fail "there is no page behind $((many * 9 / 10)) contacts"
  few_found=$(only_one "$few") many_found=$(only_one "$many")
  for ((round = 1; round <= less_rounds; round++)); do
    step "$many contacts against $few, round $round of $less_rounds"
    first=$(organization=$large measure_contacts target /api/contacts)
    record page large "$first"
    record page small "$(organization=$small measure_contacts target /api/contacts)"
    record depth deep "$(organization=$large measure_contacts target "$deep")"
    record depth first "$first"
    record "search name" large "$(organization=$large measure_contacts target "/api/contacts?search=$many_found")"
    record "search name" small "$(organization=$small measure_contacts target "/api/contacts?search=$few_found")"
    record "search phone" large "$(organization=$large measure_contacts target "/api/contacts?search=$(printf '%08d' "${many_found#*+}")")"
    record "search phone" small "$(organization=$small measure_contacts target "/api/contacts?search=$(printf '%08d' "${few_found#*+}")")"
  done
}
