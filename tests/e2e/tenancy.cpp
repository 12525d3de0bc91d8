// Two organizations with one of everything each. Whatever one of them asks with an id of the other's is answered as if
// the id were nobody's, and changes nothing.
#include <regex>
#include <set>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

struct Pair {
  Organization first = fill(world().system, "First of two", 8), second = fill(world().system, "Second of two", 8);
  Requests of_first{world().system, first}, of_second{world().system, second};
};
// For the walk, in which texts of one may come to hold ids of the other: what is no tag's id is a label.
Pair& walked() {
  static Pair pair;
  return pair;
}
Pair& apart() {
  static Pair pair;
  return pair;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); !what.empty() && at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// An answer without what must differ: the id asked for, ids and times of what was made, texts of this request alone.
std::string told(std::string text, const Prepared& prepared, const std::string& id) {
  replace_all(text, id, "ID");
  for (const auto& fresh : prepared.fresh) replace_all(text, fresh, "FRESH");
  static const std::regex ids("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
      times("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z"), secrets("parley_[A-Za-z0-9_-]+");
  return std::regex_replace(std::regex_replace(std::regex_replace(text, ids, "UUID"), times, "TIME"), secrets, "KEY");
}

// One request with a foreign id, the same with nobody's.
struct Question {
  Place place;
  std::string foreign, unknown;
  Prepared with_foreign, with_unknown;
};

std::vector<Question> questions(Requests& mine, Requests& theirs) {
  std::vector<Question> out;
  for (const auto& operation : contract_of(world().system).operations())
    for (const auto& place : mine.places(operation)) {
      if (!operation.needs_credential) continue;
      INFO(operation.id << " " << place.at);
      const auto foreign = theirs.id(place.kind), unknown = model::new_uuid().text();
      REQUIRE_NE(foreign, mine.id(place.kind));
      out.push_back({place, foreign, unknown, mine.make(operation, {{place.at, foreign}}),
                     mine.make(operation, {{place.at, unknown}})});
    }
  return out;
}

void check_same(const Question& question, const Answer& foreign, const Answer& unknown) {
  CHECK_EQ(foreign.status, unknown.status);
  if (question.place.at.starts_with("path:")) CHECK_EQ(foreign.status, 404);
  CHECK_EQ(told(foreign.body, question.with_foreign, question.foreign),
           told(unknown.body, question.with_unknown, question.unknown));
  for (const auto& [name, value] : foreign.headers) {
    if (name == "traceparent" || name.find("RateLimit") == 0 || name == "ETag" || name == "Content-Length") continue;
    CHECK_EQ(told(value, question.with_foreign, question.foreign),
             told(unknown.header(name), question.with_unknown, question.unknown));
  }
}

// The asker's own rows. What they did before is audited a little later.
std::map<std::string, std::string> own_digest(const std::string& organization) {
  auto out = digest(world().system, organization);
  for (const auto* table : {"organizations.audit", "organizations.audit_tally"}) out.erase(table);
  return out;
}

void walk(Requests& mine, Requests& theirs) {
  auto& system = world().system;
  const auto all = questions(mine, theirs);
  CHECK_GE(all.size(), 4);
  const Headers same{{"X-Request-Id", "the-same"}};
  const auto theirs_before = settled_digest(system, theirs.organization().id);
  for (const auto& question : all) {
    INFO(question.with_foreign.operation->id << " " << question.place.at << " " << question.with_foreign.target << " "
                                             << question.with_foreign.body.substr(0, 300));
    const auto mine_before = own_digest(mine.organization().id);
    const auto foreign = mine.send(question.with_foreign, same);
    INFO("foreign: " << foreign.status << " " << foreign.body.substr(0, 300));
    if (foreign.status >= 400) CHECK_EQ(differences(mine_before, own_digest(mine.organization().id)), "");
    CHECK_EQ(differences(theirs_before, digest(system, theirs.organization().id)), "");
    const auto unknown = mine.send(question.with_unknown, same);
    INFO("unknown: " << unknown.status << " " << unknown.body.substr(0, 300));
    check_same(question, foreign, unknown);
  }
  CHECK_EQ(differences(theirs_before, settled_digest(system, theirs.organization().id)), "");
}

// Every id in the rows of an organization.
std::set<std::string> ids_of(const std::string& organization) {
  std::set<std::string> out{organization};
  for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
    auto& sql = world().system.sql(service);
    for (const auto& row :
         sql.rows("SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN "
                  "pg_attribute o "
                  "ON o.attrelid = c.oid AND o.attname = 'organization_id' WHERE c.relkind = 'r' AND c.relnamespace = "
                  "$1::regnamespace AND a.atttypid = 'uuid'::regtype AND a.attnum > 0",
                  {service}))
      for (const auto& id :
           sql.column("SELECT DISTINCT " + row[1] + " FROM " + row[0] + " WHERE organization_id = $1 AND " + row[1] +
                          " <> '00000000-0000-0000-0000-000000000000'",
                      {organization}))
        out.insert(id);
  }
  return out;
}

}  // namespace

TEST_CASE("tenancy: an id of another organization's is answered as nobody's, wherever it stands, and changes nothing") {
  walk(walked().of_first, walked().of_second);
  walk(walked().of_second, walked().of_first);
}

TEST_CASE("tenancy: no answer to one organization bears an id of another") {
  auto& system = world().system;
  for (const auto& [mine, theirs] :
       {std::pair{&apart().of_first, &apart().of_second}, {&apart().of_second, &apart().of_first}}) {
    for (const auto& operation : contract_of(system).operations())
      for (const auto& place : theirs->places(operation)) theirs->id(place.kind);  // one of everything
    const auto foreign = ids_of(theirs->organization().id);
    CHECK_GE(foreign.size(), 20);
    for (const auto& operation : contract_of(system).operations()) {
      if (operation.method != "GET" || !operation.needs_credential) continue;
      const auto prepared = mine->make(operation);
      const auto answer = mine->send(prepared);
      INFO(prepared.target << " " << answer.status);
      for (const auto& id : foreign) {
        INFO(id);
        CHECK(answer.body.find(id) == std::string::npos);
      }
    }
  }
}

TEST_CASE("tenancy: another organization's cursor leads to nothing of it") {
  auto& system = world().system;
  auto &mine = apart().of_first, &theirs = apart().of_second;
  const auto foreign = ids_of(theirs.organization().id);
  for (const auto& operation : contract_of(system).operations()) {
    if (operation.method != "GET" || !operation.needs_credential) continue;
    bool paged = false;
    for (const auto* parameter : parameters_of(system, operation))
      paged = paged || parameter->at("name") == boost::json::value("cursor");
    if (!paged) continue;
    auto prepared = theirs.make(operation);
    prepared.target += (prepared.target.find('?') == std::string::npos ? "?" : "&") + std::string("per_page=1");
    const auto link = theirs.send(prepared).header("Link");
    if (link.empty()) continue;
    auto stolen = mine.make(operation);
    stolen.target += link.substr(link.find('?'), link.find('>') - link.find('?'));
    const auto answer = mine.send(stolen);
    INFO(stolen.target << " " << answer.status << " " << answer.body.substr(0, 300));
    CHECK((answer.status == 200 || answer.status == 400));
    for (const auto& id : foreign) CHECK(answer.body.find(id) == std::string::npos);
  }
}

TEST_CASE("tenancy: what was deleted is answered as what never was") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  for (const auto& id : {a.deleted_conversation, b.deleted_conversation, model::new_uuid().text()}) {
    CHECK_EQ(client.get("/api/conversation/" + id).status, 404);
    CHECK_EQ(client.post("/api/conversation/" + id, R"({"status":"Active"})").status, 404);
  }
  const auto unknown = model::new_uuid().text();
  CHECK_EQ(client.get("/api/contacts?list_id=" + b.lists[0]).body, client.get("/api/contacts?list_id=" + unknown).body);
}
