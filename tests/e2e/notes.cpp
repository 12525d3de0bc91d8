// What members write to each other in a conversation: heard by members at once, and by nobody else.
#include <boost/json/serialize.hpp>
#include <set>
#include <thread>

#include "tests/e2e/stream_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;
using identity::Permission;

namespace {

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

}  // namespace

TEST_CASE("notes: members hear of them, and neither the contact nor the channel does") {
  System system{{.replicas = 1, .environment = {}}};
  const auto organization = fill(system, "Notes", 8);
  const auto& conversation = organization.conversations.at(1);
  const auto path = "/api/conversation/" + conversation + "/notes";
  identity::PermissionSet reads;
  reads.add(Permission::get_conversation);
  const auto writes = member_with(system, organization.id, all_but(Permission::delete_conversation));
  const auto listens = member_with(system, organization.id, reads);
  Client owner(system, organization.owner.api_key), author(system, writes.api_key), reader(system, listens.api_key);
  Receiver receiver;
  const auto webhook =
      owner.post("/api/webhooks", R"({"url":")" + receiver.url() + R"(","events":["note.created","note.deleted"]})");
  REQUIRE_EQ(webhook.status, 201);
  Stream stream(system, listens.api_key,
                "?wait=120&types=note.created,note.changed,note.deleted&conversation_id=" + conversation);
  REQUIRE(stream.hears("retry: "));
  const auto before = owner.get("/api/conversation/" + conversation).json();

  const json::object body{{"text", "Wants an invoice"}, {"mentions", {listens.member_id}}};
  const auto written = author.post(path, json::serialize(body));
  REQUIRE_EQ(written.status, 201);
  const auto note = written.json().at("note");
  CHECK_EQ(string(note.at("writtenBy"), "memberId"), writes.member_id);
  CHECK_EQ(author.get(written.header("Location")).json().at("note"), note);
  CHECK(stream.hears("event: note.created\ndata: "));
  CHECK(stream.hears("\"note\":" + json::serialize(note)));
  CHECK_EQ(reader.get(path).json().at("notes").as_array(), json::array{note});

  CHECK_EQ(reader.post(path, json::serialize(body)).status, 403);
  CHECK_EQ(owner.post("/api/notes/" + string(note, "uniqueId"), R"({"text":"Not mine"})").status, 403);
  CHECK_EQ(author.post("/api/notes/" + string(note, "uniqueId"), R"({"text":"Done"})").status, 200);
  CHECK(stream.hears("event: note.changed\ndata: "));
  CHECK(stream.hears("\"text\":\"Done\""));
  const auto elsewhere = owner.post("/api/conversation/" + organization.conversations.at(2) + "/notes",
                                    R"({"text":"Of another conversation"})");
  REQUIRE_EQ(elsewhere.status, 201);
  CHECK_EQ(author("DELETE", elsewhere.header("Location")).status, 403);
  CHECK_EQ(owner("DELETE", "/api/notes/" + string(note, "uniqueId")).status, 204);
  CHECK(stream.hears("event: note.deleted\ndata: "));
  CHECK(stream.heard().find("Of another conversation") == std::string::npos);
  for (std::size_t at = 0; (at = stream.heard().find("\ndata: ", at)) != std::string::npos;) {
    at += 7;
    CHECK_EQ(contract_of(system).check_event(stream.heard().substr(at, stream.heard().find('\n', at) - at)),
             support::Faults{});
  }
  CHECK_EQ(owner.get("/api/conversation/" + conversation).json(), before);
  CHECK_EQ(system.sql("conversations").number("SELECT count(*) FROM outgoing"), 0);

  const auto& other = organization.conversations.at(2);
  CHECK_EQ(owner("DELETE", "/api/conversation/" + other).status, 204);
  CHECK_EQ(owner.get("/api/conversation/" + other + "/notes").status, 404);
  CHECK_EQ(owner.get(elsewhere.header("Location")).status, 404);
  const auto is_done = [&] {
    return system.sql("conversations").number("SELECT count(*) FROM note") == 0 && receiver.calls().size() >= 3;
  };
  for (int i = 0; i < 3'000 && !is_done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQ(system.sql("conversations").number("SELECT count(*) FROM note"), 0);
  std::multiset<std::string> types;
  for (const auto& call : receiver.calls()) {
    CHECK_EQ(contract_of(system).check_event(call.body), support::Faults{});
    types.insert(string(json::parse(call.body), "type"));
  }
  CHECK_EQ(types, std::multiset<std::string>{"note.created", "note.created", "note.deleted"});
}
