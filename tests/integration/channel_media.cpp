// Files on their way to the channel and back.
#include "tests/integration/channel_world.hpp"

using namespace parley;
using namespace parley::channel_tests;

namespace {

std::string octets_of(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 2654435761U >> 13);
  return out;
}

struct Media : World {
  std::string id_of(const Answer& answer) {
    REQUIRE_MESSAGE(answer.status == 201, answer.body);
    return std::string(answer.json().at("media").at("id").as_string());
  }
  // The id under which the channel has what a contact sent.
  std::string sent_by_contact(const std::string& type, const std::string& octets) {
    const auto response = loop.run(control_client.send({.method = http::Method::post,
                                                        .target = "/simulator/media",
                                                        .head = "Content-Type: " + type + "\r\n",
                                                        .body = octets}));
    REQUIRE(response.status < 300);
    return std::string(Answer{200, "", response.body}.json().at("id").as_string());
  }
  // A message, and the path of its file.
  std::string path_of(const std::string& type, const std::string& data, const std::string& status = "Active") {
    const auto& organization = organizations.account.organizationId;
    const auto conversation = database.add_conversation(organization, model::new_uuid(), status);
    const auto id = database.add_message(organization, conversation, "Unread", 0, data);
    database.execute("UPDATE message SET message_type = '" + type + "' WHERE id = '" + id.text() + "'");
    return "/api/messages/" + id.text() + "/media";
  }
};

}  // namespace

TEST_SUITE("channel: media") {
  TEST_CASE("a file goes to the channel as it is, and comes back so") {
    Media world;
    const auto file = octets_of(3'000'000);
    const auto answer = world.upload("image/png", file);
    const auto id = world.id_of(answer);
    CHECK(answer.json().at("media").at("mimeType").as_string() == "image/png");
    CHECK(answer.json().at("media").at("size").as_int64() == 3'000'000);
    const auto back = world.get(world.path_of("Image", R"({"id":")" + id + "\"}"));
    CHECK(back.status == 200);
    CHECK(back.body == file);
    CHECK(back.has("Content-Type: image/png"));
    CHECK(back.has("Content-Disposition: inline"));
    CHECK(back.has("X-Content-Type-Options: nosniff"));
    CHECK(back.head.find("ETag") == back.head.npos);
  }

  TEST_CASE("what the channel would not take is refused before it is read") {
    Media world;
    const auto status_of = [&](const std::string& type, std::optional<std::uint64_t> size, Fields fields = {}) {
      Pieces never("", 0);
      fields.emplace_back("Content-Type", type);
      return world.loop.run(world.ask(http::Method::post, "/api/messages/media", &never, size, std::move(fields)))
          .status;
    };
    CHECK(status_of("image/svg+xml", 10) == 415);
    CHECK(status_of("text/html", 10) == 415);
    CHECK(status_of("", 10) == 415);
    CHECK(status_of("image/png", 10, {{"Content-Encoding", "gzip"}}) == 415);
    CHECK(status_of("image/png", 5 * 1024 * 1024 + 1) == 413);
    CHECK(status_of("image/webp", 500 * 1024 + 1) == 413);
    CHECK(status_of("audio/ogg; codecs=opus", 16 * 1024 * 1024 + 1) == 413);
    CHECK(status_of("application/pdf", 100 * 1024 * 1024 + 1) == 413);
    CHECK(status_of("image/png", 0) == 400);
    CHECK(status_of("image/png", std::nullopt) == 411);
    world.organizations.status = 404;
    CHECK(status_of("image/png", 10) == 409);
    CHECK(world.calls("/media") == 0);
  }

  TEST_CASE("a file whose sender goes away is not kept") {
    Media world;
    Pieces half(octets_of(1'000'000), 500'000);
    CHECK(world.loop
              .run(world.ask(http::Method::post, "/api/messages/media", &half, 1'000'000,
                             {{"Content-Type", "image/jpeg"}, {"Idempotency-Key", "k"}}))
              .status == 400);
    CHECK(world.upload("image/jpeg", octets_of(1'000'000), {{"Idempotency-Key", "k"}}).status == 201);
  }

  TEST_CASE("a repeated upload has one answer, and a key one file") {
    Media world;
    const auto first = world.upload("text/plain", "hours", {{"Idempotency-Key", "k"}});
    CHECK(first.status == 201);
    const auto again = world.upload("text/plain", "hours", {{"Idempotency-Key", "k"}});
    CHECK(again.status == 201);
    CHECK(again.body == first.body);
    CHECK(again.has("Idempotency-Replayed: true"));
    CHECK(world.upload("text/plain", "house", {{"Idempotency-Key", "k"}}).status == 422);
  }

  TEST_CASE("what browsers could run is a download, under the name that it was sent with") {
    Media world;
    const auto pdf = world.sent_by_contact("application/pdf", "%PDF-");
    const auto document = [&](const std::string& name) {
      return world.get(world.path_of("Document", R"({"id":")" + pdf + R"(","fileName":")" + name + "\"}"));
    };
    const auto answer = document("Preis\\r\\nliste \\\"ä\\\".pdf");
    CHECK(answer.status == 200);
    CHECK(answer.body == "%PDF-");
    CHECK(answer.has("Content-Disposition: attachment; filename*=UTF-8''Preis%0D%0Aliste%20%22%C3%A4%22.pdf"));
    CHECK(answer.has("Content-Security-Policy: default-src 'none'; sandbox"));
    CHECK(document("").has("Content-Disposition: attachment"));
    for (const auto* type : {"text/html", "image/svg+xml", "application/octet-stream"}) {
      CAPTURE(type);
      const auto id = world.sent_by_contact(type, "<script>");
      const auto shown = world.get(world.path_of("Image", R"({"id":")" + id + R"(","mimeType":"image/png"})"));
      CHECK(shown.has("Content-Type: " + std::string(type)));
      CHECK(shown.has("Content-Disposition: attachment"));
    }
  }

  TEST_CASE("a message without a file has none, and nobody else's is shown") {
    Media world;
    const auto id = world.sent_by_contact("image/png", "png");
    const auto data = R"({"id":")" + id + "\"}";
    const auto path = world.path_of("Image", data);
    CHECK(world.get(world.path_of("Text", R"({"text":"hello"})")).status == 404);
    CHECK(world.get(world.path_of("Interactive", data)).status == 404);
    CHECK(world.get(world.path_of("Image", R"({"link":"https://example.com/a.png"})")).status == 404);
    CHECK(world.get(world.path_of("Image", "{}")).status == 404);
    CHECK(world.get(world.path_of("Image", data, "Deleted")).status == 404);
    CHECK(world.get("/api/messages/" + model::new_uuid().text() + "/media").status == 404);
    CHECK(world.get("/api/messages/x/media").status == 404);
    CHECK(world.get(path).status == 200);
    world.organizations.account.organizationId = model::new_uuid();
    CHECK(world.get(path).status == 404);
  }

  TEST_CASE("what the channel has no more is gone") {
    Media world;
    CHECK(world.get(world.path_of("Image", R"({"id":"987654321"})")).status == 410);
    CHECK(world.get(world.path_of("Image", R"({"id":"../me?x="})")).status == 410);
    CHECK(world.get(world.path_of("Image", R"({"id":7})")).status == 410);
    const auto id = world.sent_by_contact("image/png", "png");
    world.control(http::Method::post, "/simulator/behaviour", R"({"mediaSeconds":0})");
    CHECK(world.get(world.path_of("Image", R"({"id":")" + id + "\"}")).status == 410);
  }

  TEST_CASE("the token goes nowhere but to the channel's own hosts") {
    Media world;
    const auto id = world.sent_by_contact("image/png", "png");
    const auto path = world.path_of("Image", R"({"id":")" + id + "\"}");
    const auto own = world.simulator.url();
    for (const auto& url : {std::string("https://evil.example/x"), own + "@evil.example/x", own + ".evil.example/x",
                            own + "0/x", "https" + own.substr(4) + "/x", own, std::string("/x"), std::string()}) {
      CAPTURE(url);
      const auto told = boost::json::serialize(boost::json::value{{"url", url}, {"mime_type", "image/png"}});
      world.fail(boost::json::serialize(
          boost::json::value{{"path", "/" + id}, {"method", "GET"}, {"status", 200}, {"body", told}}));
      CHECK(world.get(path).status == 502);
    }
    CHECK(world.calls("/x") == 0);
    CHECK(world.get(path).status == 200);
  }

  TEST_CASE("a channel that is out of order is told apart from a file that is gone") {
    Media world;
    const auto id = world.sent_by_contact("image/png", "png");
    const auto path = world.path_of("Image", R"({"id":")" + id + "\"}");
    const auto fail = [&](const std::string& how) {
      world.fail(R"({"path":"/)" + id + R"(","method":"GET","times":2,)" + how + "}");
      const auto status = world.get(path).status;
      world.control(http::Method::del, "/simulator/faults");
      return status;
    };
    CHECK(fail(R"("status":500)") == 503);
    CHECK(fail(R"("status":"reset")") == 503);
    CHECK(fail(R"("code":130429)") == 503);
    CHECK(fail(R"("code":190)") == 502);
    CHECK(fail(R"("code":131052)") == 410);
    world.fail(R"({"path":"/200000000000001/media","status":500})");
    CHECK(world.upload("image/png", "png").status == 503);
    CHECK(world.upload("image/png", "png").status == 201);
  }
}
