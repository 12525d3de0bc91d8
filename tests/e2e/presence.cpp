// Who looks at a conversation and who types, as the other members hear it at once, wherever their streams are open.
#include <chrono>
#include <memory>
#include <thread>

#include "tests/e2e/stream_bed.hpp"

using namespace parley;
using namespace parley::e2e;
using identity::Permission;

TEST_CASE("presence: members hear of each other over all replicas, and nothing of it is kept") {
  System system{{.replicas = 2, .environment = {}}};
  const auto organization = fill(system, "Presence", 8), stranger = fill(system, "Another", 8);
  const auto& conversation = organization.conversations.at(1);
  const auto path = "/api/conversation/" + conversation + "/presence";
  identity::PermissionSet sees;
  sees.add(Permission::get_conversation);
  const auto looks = member_with(system, organization.id, sees);
  const auto blind = member_with(system, organization.id, all_but(Permission::get_conversation));
  Client member(system, looks.api_key);
  // The gateway spreads them over the replicas.
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 4; ++i)
    streams.push_back(std::make_unique<Stream>(system, organization.owner.api_key,
                                               "?wait=120&types=conversation.presence,conversation.status"));
  Stream own(system, looks.api_key, "?wait=120"), foreign(system, stranger.owner.api_key, "?wait=120");
  for (auto& stream : streams) REQUIRE(stream->hears("retry: "));
  for (auto* stream : {&own, &foreign}) REQUIRE(stream->hears("retry: "));

  // Told again and again, as clients do: a replica may have begun to listen for it only just now.
  std::jthread typing([&](const std::stop_token& end) {
    Client typist(system, looks.api_key);
    while (!end.stop_requested()) {
      typist.post(path, R"({"state":"typing"})");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  for (auto& stream : streams) CHECK(stream->hears("\"state\":\"typing\""));
  typing.request_stop();
  typing.join();
  CHECK_EQ(member.post(path, R"({"state":"left"})").status, 204);
  for (auto& stream : streams) {
    CHECK(stream->hears("\"state\":\"left\""));
    const auto& heard = stream->heard();
    const auto at = heard.find("event: conversation.presence\ndata: ") + 35;
    const auto text = heard.substr(at, heard.find('\n', at) - at);
    CHECK_EQ(contract_of(system).check_event(text), support::Faults{});
    const auto data = boost::json::parse(text).at("data");
    CHECK_EQ(data.at("memberId"), boost::json::value(looks.member_id));
    CHECK_EQ(data.at("conversationId"), boost::json::value(conversation));
    CHECK_GT(data.at("ttlSeconds").as_int64(), 0);
  }
  Client owner(system, organization.owner.api_key);
  CHECK_EQ(owner.post("/api/conversation/" + conversation, R"({"status":"Closed"})").status, 200);
  CHECK(own.hears("conversation.status"));
  CHECK(own.heard().find("conversation.presence") == std::string::npos);
  Client other(system, stranger.owner.api_key);
  CHECK_EQ(other.post("/api/conversation/" + stranger.conversations.at(1), R"({"status":"Closed"})").status, 200);
  CHECK(foreign.hears("conversation.status"));
  CHECK(foreign.heard().find("conversation.presence") == std::string::npos);
  CHECK_EQ(system.sql("conversations").number("SELECT count(*) FROM outbox WHERE changes::text LIKE '%presence%'"), 0);

  CHECK_EQ(Client(system, blind.api_key).post(path, R"({"state":"viewing"})").status, 403);
  CHECK_EQ(other.post(path, R"({"state":"viewing"})").status, 404);
  CHECK_EQ(member.post(path, R"({"state":"sleeping"})").status, 400);
  CHECK_EQ(
      member.post("/api/conversation/" + organization.deleted_conversation + "/presence", R"({"state":"left"})").status,
      404);
}
