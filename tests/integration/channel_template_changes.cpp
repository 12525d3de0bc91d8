// Templates that are made, changed and deleted here, and what the channel tells of them.
#include "tests/integration/channel_world.hpp"

using namespace parley;
using namespace parley::channel_tests;
using namespace std::string_literals;

namespace {

const std::string kTemplates = "/api/organization/templates";
constexpr auto kPost = http::Method::post, kDelete = http::Method::del;

std::string body_of(const std::string& text) {
  return R"([{"type":"BODY","text":")" + text + R"(","example":{"body_text":[["Ada"]]}}])";
}
std::string draft_of(const std::string& name, const std::string& text = "Hello {{1}}, welcome.") {
  return R"({"name":")" + name + R"(","language":"en_US","category":"UTILITY","components":)" + body_of(text) + "}";
}

struct Bed : World {
  Bed() {
    control(kPost, "/simulator/accounts", R"({"businessAccountId":"55","phoneNumbers":[{"id":"66"}]})");
    organizations.account.businessAccountId = "55";
    organizations.account.phoneNumberId = "66";
  }
  Answer create(const std::string& draft, Fields fields = {}) {
    return send(kPost, kTemplates, draft, std::move(fields));
  }
  std::string created(const std::string& name) {
    const auto answer = create(draft_of(name));
    REQUIRE_MESSAGE(answer.status == 201, answer.body);
    return std::string(answer.json().at("messageTemplate").at("id").as_string());
  }
  // What the channel's reviewers say; its webhook is applied by report().
  void review(const std::string& id, const std::string& status) {
    control(kPost, "/simulator/templates", R"({"id":")" + id + R"(","status":")" + status + R"(","told":false})");
  }
  // A webhook of so many seconds from the beginning.
  void report(const std::string& id, const std::string& status, int seconds = 0, const std::string& reason = "",
              const std::string& quality = "", const std::string& category = "") {
    const model::Timestamp at{begin_.milliseconds_since_epoch + seconds * 1000};
    World::report({"55", id, at, status, reason, quality, category});
  }
  std::string of(const std::string& id, const std::string& field) {
    const auto answer = get(kTemplates + "/" + id);
    if (answer.status != 200) return std::to_string(answer.status);
    return std::string(answer.json().at("messageTemplate").at(field).as_string());
  }
  std::size_t listed(const std::string& name) {
    return get(kTemplates + "?name=" + name).json().at("templates").as_array().size();
  }

 private:
  const model::Timestamp begin_ = model::Timestamp::now();
};

}  // namespace

TEST_SUITE("channel: changes of templates") {
  TEST_CASE("a template is made, reviewed, changed and deleted at the channel, and each is seen here") {
    Bed bed;
    const auto made = bed.create(draft_of("welcome"));
    REQUIRE_MESSAGE(made.status == 201, made.body);
    const auto id = std::string(made.json().at("messageTemplate").at("id").as_string());
    CHECK(made.has("Location: " + kTemplates + "/" + id));
    CHECK(made.json().at("messageTemplate").at("status").as_string() == "PENDING");
    CHECK(bed.of(id, "status") == "PENDING");
    CHECK(bed.listed("welcome") == 1);

    const auto edit = R"({"components":)" + body_of("Hello {{1}}, we are glad.") + "}";
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit).status == 409);  // in review
    bed.review(id, "APPROVED");
    bed.report(id, "APPROVED");
    const auto calls = bed.calls("/message_templates");
    CHECK(bed.of(id, "status") == "APPROVED");
    CHECK(bed.listed("welcome") == 1);
    CHECK(bed.calls("/message_templates") == calls);  // the webhook told all

    const auto marketing = bed.send(kPost, kTemplates + "/" + id, R"({"category":"MARKETING"})");
    CHECK(marketing.status == 409);
    CHECK(marketing.body.find("\"/category\"") != std::string::npos);
    const auto changed = bed.send(kPost, kTemplates + "/" + id, edit);
    CHECK_MESSAGE(changed.status == 200, changed.body);
    CHECK(changed.json().at("messageTemplate").at("status").as_string() == "PENDING");
    CHECK(changed.body.find("we are glad") != std::string::npos);
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit).body == changed.body);  // it is so, and in review

    CHECK(bed.send(kDelete, kTemplates + "/" + id).status == 204);
    CHECK(bed.of(id, "status") == "404");
    CHECK(bed.send(kDelete, kTemplates + "/" + id).status == 404);
    CHECK(bed.listed("welcome") == 0);
  }

  TEST_CASE("what breaks a rule does not reach the channel; what it refuses is told in its words") {
    Bed bed;
    const auto calls = bed.calls("/message_templates");
    const auto bad = bed.create(draft_of("Welcome", "{{1}}"));
    CHECK(bad.status == 400);
    CHECK(bad.body.find("\"/name\"") != std::string::npos);
    CHECK(bad.body.find("\"/components/0/text\"") != std::string::npos);
    CHECK(bed.calls("/message_templates") == calls);

    bed.fail(
        R"({"path":"/55/message_templates","method":"POST","status":400,"error":{"code":100,"error_subcode":2388293,)"
        R"("message":"Invalid parameter","error_user_msg":"Too many variables for its length"}})");
    const auto refused = bed.create(draft_of("welcome"));
    CHECK(refused.status == 409);
    CHECK(refused.body.find("Too many variables for its length") != std::string::npos);
    bed.created("welcome");
    const auto taken = bed.create(draft_of("welcome"));
    CHECK(taken.status == 409);
    CHECK(taken.body.find("\"/name\"") != std::string::npos);
    bed.fail(R"({"path":"/55/message_templates","method":"POST","code":80008})");
    CHECK(bed.create(draft_of("later")).has("Retry-After: 30"));
    CHECK(bed.listed("later") == 0);
    CHECK(bed.send(kPost, kTemplates + "/1", R"({"category":"MARKETING"})").status == 404);
    CHECK(bed.send(kPost, kTemplates + "/none", R"({"category":"MARKETING"})").status == 404);
  }

  TEST_CASE("after an answer that is lost the channel is asked what it has, before anybody repeats") {
    Bed bed;
    const auto lose = [&](const std::string& path, const std::string& method) {
      bed.fail(R"({"path":")" + path + R"(","method":")" + method + R"(","status":"lose"})");
    };
    lose("/55/message_templates", "POST");
    const auto id = bed.created("lost");
    bed.review(id, "REJECTED");
    bed.report(id, "REJECTED");

    lose("/" + id, "POST");
    const auto edit = R"({"components":)" + body_of("Hello {{1}}, come in.") + "}";
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit).status == 200);
    CHECK(bed.of(id, "status") == "PENDING");
    bed.fail(R"({"path":"/55/message_templates","method":"DELETE","status":503,"code":2,"done":true})");
    CHECK(bed.send(kDelete, kTemplates + "/" + id).status == 204);
    CHECK(bed.listed("lost") == 0);
  }

  TEST_CASE("what stays in doubt is repeated with its key, and done once") {
    Bed bed;
    const Fields key{{"Idempotency-Key", "once"}};
    const auto fail_both = [&](const std::string& post) {
      bed.fail(R"({"path":"/55/message_templates","method":"POST","status":)" + post + "}");
      bed.fail(R"({"path":"/55/message_templates","method":"GET","status":500})");
    };
    fail_both("\"lose\"");
    const auto doubtful = bed.create(draft_of("doubt"), key);
    CHECK(doubtful.status == 503);
    CHECK(doubtful.has("Retry-After: 10"));
    const auto made = bed.create(draft_of("doubt"), key);
    CHECK_MESSAGE(made.status == 201, made.body);
    CHECK(bed.create(draft_of("doubt"), key).body == made.body);
    CHECK(bed.create(draft_of("doubt")).status == 409);

    // Nothing came of it.
    fail_both("\"reset\"");
    CHECK(bed.create(draft_of("nothing"), {{"Idempotency-Key", "twice"}}).status == 503);
    CHECK(bed.create(draft_of("nothing"), {{"Idempotency-Key", "twice"}}).status == 201);
    CHECK(bed.listed("nothing") == 1);
    // Somebody else's of the same name.
    bed.fail(R"({"path":"/55/message_templates","method":"POST","status":"reset"})");
    CHECK(bed.create(draft_of("nothing", "Hello {{1}}, other.")).status == 409);
  }

  TEST_CASE("webhooks may come late, repeatedly and in any order: what was told last holds") {
    Bed bed;
    const auto id = bed.created("order");
    CHECK(bed.listed("order") == 1);
    bed.report(id, "APPROVED", 2);
    bed.report(id, "PENDING", 1);
    bed.report(id, "", 5, "", "RED");
    bed.report(id, "", 4, "", "GREEN");
    bed.report(id, "", 3, "", "", "MARKETING");
    CHECK(bed.of(id, "status") == "APPROVED");
    CHECK(bed.of(id, "quality") == "RED");
    CHECK(bed.of(id, "category") == "MARKETING");
    const auto heard = bed.heard.size();
    CHECK(heard == 3);
    bed.report(id, "APPROVED", 2);
    bed.report(id, "APPROVED", 6);
    CHECK(bed.heard.size() == heard);
    bed.report(id, "PAUSED", 7, "for 3 hours");
    CHECK(bed.of(id, "statusReason") == "for 3 hours");
    CHECK(bed.heard.size() == heard + 1);

    // One of before the list was asked for changes nothing, but has the channel asked again.
    const auto calls = bed.calls("/message_templates");
    bed.report(id, "REJECTED", -120);
    CHECK(bed.calls("/message_templates") == calls);
    CHECK(bed.of(id, "status") != "REJECTED");
    CHECK(bed.calls("/message_templates") == calls + 1);
    // One of a template that is not known does, too.
    bed.report("777", "APPROVED");
    bed.listed("order");
    CHECK(bed.calls("/message_templates") == calls + 2);
  }

  TEST_CASE("a list that was asked for before a template was made does not hide it, nor bring a deleted one back") {
    Bed bed;
    const auto organization = bed.organizations.account.organizationId;
    const model::Timestamp earlier{model::Timestamp::now().milliseconds_since_epoch - 1'000};
    const auto id = bed.created("new");
    const auto save = [&](std::vector<channel::Template> listed) -> awaitable<bool> {
      co_await bed.template_store.save(organization, "55", earlier, std::move(listed));
      co_return true;
    };
    bed.loop.run(save({}));
    CHECK(bed.database.number("SELECT count(*) FROM template WHERE id = '" + id + "'") == 1);
    CHECK(bed.listed("new") == 1);
    CHECK(bed.send(kDelete, kTemplates + "/" + id).status == 204);
    bed.loop.run(save({{id, "new", "en_US", "UTILITY", "APPROVED", {"[]"}}}));
    CHECK(bed.listed("new") == 0);
  }

  TEST_CASE("campaigns that would send a template are named when it cannot be sent") {
    Bed bed;
    const auto id = bed.created("sale");
    const auto message_of = [](const std::string& name) {
      return R"({"type": "Template", "template": {"name": ")" + name + R"(", "language": "en_US"}})";
    };
    const auto add = [&](const std::string& name, const std::string& status, const std::string& message,
                         const std::string& variants = "[]") {
      bed.database.execute("INSERT INTO campaign (organization_id, id, name, status, message, variants) VALUES ('" +
                           bed.organizations.account.organizationId.text() + "', gen_random_uuid(), '" + name + "', '" +
                           status + "', '" + message + "', '" + variants + "')");
    };
    const std::string text = R"({"type": "Text", "text": "Hi"})";
    add("draft", "Draft", message_of("sale"));
    add("variant", "Paused", text, R"([{"name": "b", "share": 50, "message": )" + message_of("sale") + "}]");
    add("over", "Finished", message_of("sale"));
    add("other", "Draft", message_of("another"));
    bed.report(id, "APPROVED");
    bed.report(id, "PAUSED", 1);
    REQUIRE(bed.heard.size() == 2);
    CHECK(bed.heard[0].find("\"campaignIds\":[]") != std::string::npos);
    for (const auto* name : {"draft", "variant", "over", "other"}) {
      const auto campaign = bed.database.execute("SELECT id FROM campaign WHERE name = '"s + name + "'");
      CHECK((bed.heard[1].find(campaign) != std::string::npos) == (name == "draft"s || name == "variant"s));
    }
  }

  TEST_CASE("of who saw the same version, one changes the template") {
    Bed bed;
    const auto id = bed.created("once");
    bed.review(id, "REJECTED");
    bed.report(id, "REJECTED");
    const auto seen = bed.get(kTemplates + "/" + id).field("ETag");
    const auto edit = R"({"components":)" + body_of("Hello {{1}}, once.") + "}";
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit, {{"If-Match", "\"other\""}}).status == 412);
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit, {{"If-Match", seen}}).status == 200);
    CHECK(bed.send(kPost, kTemplates + "/" + id, edit, {{"If-Match", seen}}).status == 412);
    CHECK(bed.send(kDelete, kTemplates + "/" + id, "", {{"If-Match", seen}}).status == 412);
  }

  TEST_CASE("a file that a header shows goes to the channel piece by piece, and its handle into the template") {
    Bed bed;
    std::string file;
    while (file.size() < 300'000) file += "%PDF-1.4 page " + std::to_string(file.size());
    const auto uploaded = bed.upload_example("application/pdf", file);
    REQUIRE_MESSAGE(uploaded.status == 201, uploaded.body);
    CHECK(uploaded.json().at("media").at("size").to_number<std::size_t>() == file.size());
    const auto handle = std::string(uploaded.json().at("media").at("handle").as_string());
    const auto draft = [&](const std::string& given) {
      return R"({"name":"with_file","language":"de","category":"MARKETING","components":[{"type":"HEADER",)"
             R"("format":"DOCUMENT",)"
             R"("example":{"header_handle":[")" +
             given + R"("]}},{"type":"BODY","text":"Hallo"}]})";
    };
    CHECK(bed.create(draft("4::none")).status == 409);
    CHECK(bed.create(draft(handle)).status == 201);
    CHECK(bed.upload_example("image/webp", "x").status == 415);
    bed.fail(R"({"path":"/app/uploads","status":503,"code":2})");
    CHECK(bed.upload_example("image/png", "x").status == 503);
  }
}
