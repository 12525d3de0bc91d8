// Files through the gateway, to the channel and back; and what the channel lists.
#include <boost/json/array.hpp>
#include <ctime>

#include "tests/e2e/channel_bed.hpp"

using namespace parley;
using namespace parley::e2e;

namespace json = boost::json;

namespace {

const Headers kPdf{{"Content-Type", "application/pdf"}};

std::string text_of(std::size_t size) {
  std::string out;
  while (out.size() < size) out += "%PDF-1.4 page " + std::to_string(out.size()) + "\n";
  return out;
}

std::string uploaded(Client& client, const std::string& file) {
  const auto answer = client.post("/api/messages/media", file, kPdf);
  REQUIRE_EQ(answer.status, 201);
  return std::string(answer.json().at("media").at("id").as_string());
}

}  // namespace

TEST_SUITE("e2e: media") {
  TEST_CASE("a file far larger than any other body goes to the channel and comes back") {
    auto& system = world().system;
    Channel channel(system, "media", "291100000001");
    auto client = channel.client();
    const auto file = text_of(20'000'000);
    const auto id = uploaded(client, file);

    const json::object sent{{"from", "4915711100001"},
                            {"id", "wamid.media.1"},
                            {"timestamp", std::to_string(std::time(nullptr))},
                            {"type", "document"},
                            {"document", {{"id", id}, {"mime_type", "application/pdf"}, {"filename", "a b.pdf"}}}};
    channel.deliver(channel.body({sent}));
    json::value conversation;
    wait_for("the document is there", [&] {
      conversation = channel.conversation("4915711100001");
      return !conversation.is_null() && !conversation.at("messages").as_array().empty();
    });
    const auto message = std::string(conversation.at("messages").at(0).at("uniqueId").as_string());
    const auto back = client.get("/api/messages/" + message + "/media");
    CHECK_EQ(back.status, 200);
    CHECK(back.body == file);
    CHECK_EQ(back.header("Content-Type"), "application/pdf");
    CHECK_EQ(back.header("Content-Disposition"), "attachment; filename*=UTF-8''a%20b.pdf");
    CHECK_EQ(back.header("X-Content-Type-Options"), "nosniff");
    CHECK_EQ(Client(system, world().b.owner.api_key).get("/api/messages/" + message + "/media").status, 404);
  }

  TEST_CASE("a file stays when the channel has deleted it, in parts too, and goes with its conversation") {
    auto& system = world().system;
    Channel channel(system, "media-stays", "291100000031");
    auto client = channel.client();
    auto& sql = system.sql("conversations");
    const auto receive = [&](const std::string& number, const std::string& octets) {
      const auto id = uploaded(client, octets);
      const json::object sent{{"from", number},
                              {"id", "wamid.stays." + number},
                              {"timestamp", std::to_string(std::time(nullptr))},
                              {"type", "document"},
                              {"document", {{"id", id}, {"mime_type", "application/pdf"}}}};
      channel.deliver(channel.body({sent}));
      std::string message;
      wait_for("the file is copied", [&] {
        message = sql.value(
            "SELECT m.id FROM message m JOIN media_file f ON f.message_id = m.id WHERE m.data ->> 'id' = $1 AND "
            "f.state = 'Kept'",
            {id});
        return !message.empty();
      });
      channel.simulator("DELETE", "/simulator/media?id=" + id);
      return message;
    };
    const auto file = text_of(1'000'000);
    const auto message = receive("4915711100031", file);
    const auto path = "/api/messages/" + message + "/media";
    const auto whole = client.get(path);
    CHECK_EQ(whole.status, 200);
    CHECK(whole.body == file);
    CHECK_EQ(whole.header("Content-Disposition"), "attachment");
    CHECK_EQ(whole.header("Accept-Ranges"), "bytes");
    CHECK_EQ(whole.header("Cross-Origin-Resource-Policy"), "same-site");
    const auto tag = std::string(whole.header("ETag"));
    const auto part = client("GET", path, "", {{"Range", "bytes=500000-500099"}, {"If-Range", tag}});
    CHECK_EQ(part.status, 206);
    CHECK_EQ(part.header("Content-Range"), "bytes 500000-500099/" + std::to_string(file.size()));
    CHECK(part.body == file.substr(500'000, 100));
    CHECK_EQ(client("GET", path, "", {{"Range", "bytes=0-9"}, {"If-Range", "\"other\""}}).status, 200);
    const auto beyond = client("GET", path, "", {{"Range", "bytes=2000000-"}});
    CHECK_EQ(beyond.status, 416);
    CHECK_EQ(beyond.header("Content-Range"), "bytes */" + std::to_string(file.size()));
    CHECK_EQ(client("GET", path, "", {{"If-None-Match", tag}}).status, 304);
    const auto head = client("HEAD", path);
    CHECK_EQ(head.status, 200);
    CHECK_EQ(head.header("Content-Length"), std::to_string(file.size()));

    const auto quotas = client.get("/api/conversations/quotas").json().at("quotas").as_array();
    CHECK_EQ(quotas.back().at("name"), json::value("media-mib"));
    CHECK_EQ(quotas.back().at("used"), json::value(1));
    const auto conversation = sql.value("SELECT conversation_id FROM message WHERE id = $1", {message});
    CHECK_EQ(client("DELETE", "/api/conversation/" + conversation).status, 204);
    CHECK_EQ(client.get(path).status, 404);
    wait_for("nothing of the file is left", [&] {
      return sql.value("SELECT count(*) FROM media_chunk WHERE organization_id = $1", {channel.organization()}) == "0";
    });
  }

  TEST_CASE("a file that the channel would not take is refused") {
    auto& system = world().system;
    Client client(system, world().a.owner.api_key);
    CHECK_EQ(client.post("/api/messages/media", text_of((5 << 20) + 1), {{"Content-Type", "image/png"}}).status, 413);
    CHECK_EQ(client.post("/api/messages/media", "<svg/>", {{"Content-Type", "image/svg+xml"}}).status, 415);
    Wire chunked(system.gateway().port());
    chunked.send("POST /api/messages/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + world().a.owner.api_key +
                 "\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
    const auto answer = chunked.read();
    REQUIRE(answer);
    CHECK_EQ(answer->status, 411);
  }

  TEST_CASE(
      "a form uploads a file as its last part; one that ends in another way is refused, and nothing is uploaded") {
    auto& system = world().system;
    Channel channel(system, "media-forms", "291100000021");
    auto client = channel.client();
    const Headers form{{"Content-Type", "multipart/form-data; boundary=XyZ"}};
    const auto part = [](const std::string& type) {
      return "--XyZ\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nof May\r\n"
             "--XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\nContent-Type: " +
             type + "\r\n\r\n";
    };
    const auto file = text_of(3'000'000);
    const auto taken = client.post("/api/messages/media", part("application/pdf") + file + "\r\n--XyZ--\r\n", form);
    REQUIRE_EQ(taken.status, 201);
    CHECK_EQ(taken.json().at("media").at("size").to_number<std::size_t>(), file.size());
    CHECK_EQ(taken.json().at("media").at("mimeType").as_string(), "application/pdf");

    const auto refused = [&](const std::string& body) { return client.post("/api/messages/media", body, form).status; };
    CHECK_EQ(refused(part("application/pdf") + file + "\r\n--XyZ--"), 400);  // its size is two octets less
    CHECK_EQ(refused(part("application/pdf") + file + "\r\n--XyZ--\r\nmore"), 400);
    CHECK_EQ(refused(part("application/pdf") + file), 400);
    CHECK_EQ(refused(part("application/pdf") + file + "\r\n" + part("application/pdf") + "\r\n--XyZ--\r\n"), 400);
    CHECK_EQ(refused("--XyZ\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nx\r\n--XyZ--\r\n"), 400);
    CHECK_EQ(refused(part("image/png") + "\r\n--XyZ--\r\n"), 400);
    CHECK_EQ(refused(part("image/svg+xml") + "<svg/>\r\n--XyZ--\r\n"), 415);
    CHECK_EQ(refused(part("image/png") + text_of((5 << 20) + 1) + "\r\n--XyZ--\r\n"), 413);
    CHECK_EQ(client.post("/api/messages/media", "x", {{"Content-Type", "multipart/form-data"}}).status, 400);
    // The connections to the channel are good after all that.
    CHECK_EQ(uploaded(client, file).empty(), false);
  }

  TEST_CASE("templates and phone numbers are the channel's, and follow what it tells") {
    auto& system = world().system;
    Channel channel(system, "templates", "291100000002");
    auto client = channel.client();
    channel.simulator("POST", "/simulator/templates",
                      {{"name", "e2e_followed"}, {"language", "de"}, {"status", "PENDING"}, {"category", "UTILITY"}});
    const auto status = [&] {
      const auto found = client.get("/api/organization/templates?name=e2e_followed").json().at("templates").as_array();
      return found.empty() ? std::string() : std::string(found[0].at("status").as_string());
    };
    CHECK_EQ(status(), "PENDING");
    channel.simulator("POST", "/simulator/templates",
                      {{"name", "e2e_followed"}, {"language", "de"}, {"status", "APPROVED"}, {"category", "UTILITY"}});
    wait_for("the template is approved here, too", [&] { return status() == "APPROVED"; });

    const auto numbers = client.get("/api/organization/phone-numbers").json().at("phoneNumbers").as_array();
    bool is_there = false;
    for (const auto& number : numbers)
      is_there = is_there || (number.at("id") == json::value(channel.phone_number_id()) &&
                              number.at("registered").as_bool() && number.at("sendingStopped").is_null());
    CHECK(is_there);

    // What it tells of the account, however often, before a send could fail.
    for (int i = 0; i < 2; ++i)
      channel.simulator(
          "POST", "/simulator/changes",
          {{"field", "account_update"},
           {"value", {{"event", "DISABLED_UPDATE"}, {"ban_info", {{"waba_ban_state", "SCHEDULE_FOR_DISABLE"}}}}}});
    json::array notices;
    wait_for("the notice is there", [&] {
      notices = client.get("/api/organization/phone-numbers").json().at("notices").as_array();
      return !notices.empty();
    });
    CHECK_EQ(notices[0].at("severity"), json::value("Critical"));
    CHECK_EQ(notices[0].at("detail"), json::value("SCHEDULE_FOR_DISABLE"));
  }
}
