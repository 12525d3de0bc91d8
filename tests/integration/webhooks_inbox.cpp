// Receiving webhooks: who may, what is committed, and when there is no room.
#include <boost/asio/co_spawn.hpp>

#include "conversations/inbox/webhooks/api.hpp"
#include "tests/integration/webhooks_bed.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kSecret = "an application's secret";
constexpr auto kUrl = "/webhooks/messaging";

struct Pieces final : http::BodySource {
  explicit Pieces(std::string text_) : text(std::move(text_)) {}
  awaitable<std::string_view> next() override {
    const auto piece = std::string_view(text).substr(at, 16'384);
    at += piece.size();
    co_return piece;
  }
  std::string text;
  std::size_t at = 0;
};

struct Asked {
  Asked(http::Method method, const std::string& target_, const std::string& body, const std::string& signature,
        const std::string& token)
      : target(target_), fields_text{token, signature}, source(body) {
    fields = {{identity::kField, fields_text[0]}, {"X-Hub-Signature-256", fields_text[1]}};
    request.method = method;
    request.target = target;
    request.path = std::string_view(target).substr(0, target.find('?'));
    if (request.path.size() < target.size()) request.query = std::string_view(target).substr(request.path.size() + 1);
    request.fields = fields;
    request.has_body = !body.empty();
    request.body_source = &source;
  }
  const std::string target;
  const std::vector<std::string> fields_text;
  std::vector<http::Field> fields;
  Pieces source;
  http::Request request;
  std::optional<http::Response> response;
};

struct Bed {
  World world;
  Uuid organization = world.connect(kNumber);
  Replica replica{world};
  conversations::webhooks::Inbox inbox{replica.database()};
  conversations::webhooks::Api api{
      replica.process(), {{"the one before", kSecret}, "application's token"}, inbox, replica.accounts()};

  std::unique_ptr<Asked> start(http::Method method, const std::string& target, const std::string& body,
                               const std::string& signature) {
    auto asked = std::make_unique<Asked>(method, target, body, signature, replica.gateway_token());
    replica.process().spawn("a request", serve(*asked));
    return asked;
  }
  awaitable<void> serve(Asked& asked) { asked.response = co_await replica.process().pipeline().serve(asked.request); }
  http::Response get(const std::string& target) {
    const auto asked = start(http::Method::get, target, "", "");
    replica.until([&] { return asked->response.has_value(); });
    return *asked->response;
  }
  unsigned post(const std::string& target, const std::string& body, const std::string& signature) {
    const auto asked = start(http::Method::post, target, body, signature);
    replica.until([&] { return asked->response.has_value(); });
    return asked->response->status;
  }
  unsigned post_signed(const std::string& body, const std::string& target = kUrl) {
    return post(target, body, support::hub_signature(kSecret, body));
  }
  std::int64_t received() const { return world.number("SELECT count(*) FROM inbox"); }
};

}  // namespace

TEST_SUITE("integration: webhooks, received") {
  TEST_CASE("the channel's challenge is answered for who knows the URL's token") {
    Bed bed;
    const auto ask = [&](const std::string& path, const std::string& query) { return bed.get(path + "?" + query); };
    const std::string good = "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";
    const auto answer = ask(kUrl, good + "application%27s%20token");
    CHECK_EQ(answer.status, 200);
    CHECK_EQ(answer.body, "1158201444");
    CHECK_EQ(answer.content_type, "text/plain");
    const auto own = std::string(kUrl) + "/" + bed.organization.text();
    CHECK_EQ(ask(own, good + "the%20secret%20of%20" + kNumber).body, "1158201444");
    for (const auto& query : {good, good + "x", std::string("hub.verify_token=application%27s%20token")}) {
      CHECK_EQ(ask(kUrl, query).status, 403);
      CHECK_EQ(ask(own, query).status, 403);
    }
    CHECK_EQ(ask(own, good + "application%27s%20token").status, 403);
    CHECK_EQ(ask(std::string(kUrl) + "/" + model::new_uuid().text(), good).status, 403);
    CHECK_EQ(ask(std::string(kUrl) + "/somebody", good).status, 404);
  }

  TEST_CASE("a signed body is taken whatever is in it, another is not") {
    Bed bed;
    const std::string body = body_of({text("m1", "4915100000001", 0, "Hello")});
    const auto signature = support::hub_signature(kSecret, body);
    CHECK_EQ(bed.post(kUrl, body, signature), 200);
    CHECK_EQ(bed.post(kUrl, body, support::hub_signature("the one before", body)), 200);
    const std::string strange("\0\xFF{{{", 5);
    for (const auto& any : {strange, std::string("{\"a\":1,\"a\":2}"), std::string(), std::string(3 << 20, '[')})
      CHECK_EQ(bed.post_signed(any), 200);
    for (const auto& who : {bed.organization.text(), model::new_uuid().text(), std::string("nobody")})
      CHECK_EQ(bed.post_signed(body, std::string(kUrl) + "/" + who), 200);
    CHECK_EQ(bed.received(), 9);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM inbox WHERE organization_id = " + quoted(bed.organization)), 1);

    auto broken = signature;
    broken.back() = broken.back() == '0' ? '1' : '0';
    for (const auto& wrong : {broken, std::string(), signature.substr(7), signature + "0",
                              "sha1=" + signature.substr(7), support::hub_signature("another", body)})
      CHECK_EQ(bed.post(kUrl, body, wrong), 401);
    CHECK_EQ(bed.post(kUrl, body + " ", signature), 401);
    CHECK_EQ(bed.post_signed(std::string((3 << 20) + 1, '[')), 413);
    CHECK_EQ(bed.received(), 9);
    CHECK(bed.replica.process().metrics().scrape().find(
              "webhook_events_total{kind=\"body\",result=\"bad_signature\"} 7") != std::string::npos);
  }

  TEST_CASE("many at once are committed together, and each only once it is") {
    Bed bed;
    const auto body = body_of({text("m1", "4915100000001", 0, "Hello")});
    const auto signature = support::hub_signature(kSecret, body);
    std::vector<std::unique_ptr<Asked>> all;
    for (int i = 0; i < 500; ++i) all.push_back(bed.start(http::Method::post, kUrl, body, signature));
    const auto answered = [&] {
      return std::count_if(all.begin(), all.end(), [](const auto& asked) { return asked->response.has_value(); });
    };
    bed.replica.until([&] { return answered() > 0; });
    CHECK_GE(bed.received(), answered());
    bed.replica.until([&] { return answered() == 500; });
    CHECK_EQ(bed.received(), 500);
    CHECK_LT(bed.inbox.stats().batches, 100);
    CHECK_EQ(bed.inbox.stats().octets, 0);
  }

  TEST_CASE("without room or a database the channel is asked to come again") {
    Bed bed;
    const auto body = body_of({text("m1", "4915100000001", 0, "Hello")});
    const auto signature = support::hub_signature(kSecret, body);
    const auto large = std::string(3 << 20, ' ');
    const auto large_signature = support::hub_signature(kSecret, large);
    std::vector<std::unique_ptr<Asked>> all;
    for (int i = 0; i < 1'060; ++i) all.push_back(bed.start(http::Method::post, kUrl, body, signature));
    for (int i = 0; i < 12; ++i) all.push_back(bed.start(http::Method::post, kUrl, large, large_signature));
    bed.replica.until([&] {
      return std::all_of(all.begin(), all.end(), [](const auto& asked) { return asked->response.has_value(); });
    });
    const auto with = [&](unsigned status) {
      return std::count_if(all.begin(), all.end(),
                           [&](const auto& asked) { return asked->response->status == status; });
    };
    CHECK_EQ(with(200) + with(503), 1'072);
    CHECK_GT(with(503), 0);
    CHECK_EQ(bed.received(), with(200));
    CHECK_EQ(bed.inbox.stats().octets, 0);

    bed.world.database.execute("ALTER TABLE inbox RENAME TO elsewhere");
    CHECK_EQ(bed.post_signed(body), 503);  // whatever is wrong here, the body is not
    bed.world.database.execute("ALTER TABLE elsewhere RENAME TO inbox");
    CHECK_EQ(bed.post_signed(body), 200);
  }
}
