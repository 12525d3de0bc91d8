#pragma once
// What of the conversations service talks to the channel by itself, in this process: over a database of its own, beside
// an organizations service that tells the account, and a simulator that is the channel.
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "common/chassis/idempotency.hpp"
#include "conversations/channel/media/api.hpp"
#include "conversations/channel/templates/api.hpp"
#include "tests/integration/channel_bed.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/simulator_process.hpp"

namespace parley::channel_tests {

using identity::Permission;
using Fields = std::vector<std::pair<std::string, std::string>>;

struct Answer {
  unsigned status = 0;
  std::string head, body;

  boost::json::value json() const {
    model::Fault fault;
    auto parsed = model::parse(body, fault);
    REQUIRE_MESSAGE(parsed, body);
    return std::move(*parsed);
  }
  // The value of a field that it must have.
  std::string field(std::string_view name) const {
    const auto at = head.find(std::string(name) + ": ");
    REQUIRE_MESSAGE(at != head.npos, head);
    const auto begin = at + name.size() + 2;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
  bool has(std::string_view line) const { return head.find(std::string(line) + "\r\n") != head.npos; }
};

// A body in pieces; where it breaks off, the sender went away.
class Pieces final : public http::BodySource {
 public:
  explicit Pieces(std::string octets, std::size_t breaks_off_at = std::string::npos)
      : octets_(std::move(octets)), breaks_off_at_(breaks_off_at) {}
  awaitable<std::string_view> next() override {
    if (at_ >= breaks_off_at_) throw http::Problem({.status = 400, .detail = "the body ended early", .close = true});
    const auto piece = std::string_view(octets_).substr(at_, 50'000);
    at_ += piece.size();
    co_return piece;
  }

 private:
  std::string octets_;
  std::size_t breaks_off_at_, at_ = 0;
};

struct World {
  explicit World(std::optional<conversations::media::BucketSettings> bucket = {})
      : pool(loop.process.context(), database.settings()),
        channel(loop.process, settings(simulator.url())),
        template_store(pool),
        catalogue(organizations.accounts, channel, template_store),
        template_api(loop.process, template_store, catalogue, organizations.accounts, channel),
        media_store(pool),
        media_files(loop.process, pool, std::move(bucket)),
        media_api(loop.process, media_store, media_files, organizations.accounts, channel),
        control_client(loop.process.context(), loop.process.wheel(), {.url = simulator.url(), .tls_ca_file = {}}) {
    pool.start();
    loop.turn_until([&] { return pool.available(); });
    const auto token =
        control(http::Method::get, "/v20.0/oauth/access_token?client_id=300&client_secret=the-app-secret&code=code-1");
    organizations.account.accessToken = std::string(token.at("access_token").as_string());
  }
  ~World() { loop.run(close()); }

  // The simulator's answer, null if it has no body.
  boost::json::value control(http::Method method, const std::string& target, const std::string& body = "") {
    const auto response = loop.run(control_client.send({.method = method, .target = target, .body = body}));
    INFO(target);
    REQUIRE_MESSAGE(response.status < 300, response.body);
    if (response.body.empty()) return nullptr;
    return Answer{response.status, "", response.body}.json();
  }
  void fail(const std::string& json) { control(http::Method::post, "/simulator/faults", json); }
  // How many calls came to paths that end so.
  std::size_t calls(std::string_view end) {
    std::size_t found = 0;
    const auto journal = control(http::Method::get, "/simulator/journal");
    for (const auto& call : journal.at("calls").as_array()) found += call.at("path").as_string().ends_with(end);
    return found;
  }

  // A webhook tells this of a template; its events are `heard`.
  void report(conversations::templates::Report report) { loop.run(learn(std::move(report))); }
  std::vector<std::string> heard;

  Answer get(const std::string& target, Fields fields = {}) {
    return loop.run(ask(http::Method::get, target, nullptr, 0, std::move(fields)));
  }
  Answer upload(const std::string& type, const std::string& octets, Fields fields = {}) {
    Pieces source(octets);
    fields.emplace_back("Content-Type", type);
    return loop.run(ask(http::Method::post, "/api/messages/media", &source, octets.size(), std::move(fields)));
  }
  Answer upload_example(const std::string& type, const std::string& octets) {
    Pieces source(octets);
    return loop.run(
        ask(http::Method::post, "/api/organization/template-media", &source, octets.size(), {{"Content-Type", type}}));
  }
  Answer send(http::Method method, const std::string& target, const std::string& json = "", Fields fields = {}) {
    Pieces source(json);
    if (!json.empty()) fields.emplace_back("Content-Type", "application/json");
    return loop.run(ask(method, target, json.empty() ? nullptr : &source, json.size(), std::move(fields)));
  }
  // As the gateway hands it on.
  awaitable<Answer> ask(http::Method method, std::string target, http::BodySource* source,
                        std::optional<std::uint64_t> size, Fields more) {
    identity::Identity caller;
    caller.organization_id = organizations.account.organizationId;
    caller.member_id = member_;
    caller.permissions = identity::PermissionSet::all();
    const auto token = gateway_.sign(caller, "conversations");
    std::vector<http::Field> fields{{identity::kField, token}};
    for (const auto& [name, value] : more) fields.push_back({name, value});
    http::Request request;
    request.method = method;
    request.target = target;
    const auto mark = target.find('?');
    request.path = std::string_view(target).substr(0, mark);
    if (mark != target.npos) request.query = std::string_view(target).substr(mark + 1);
    request.fields = fields;
    if (source) request.content_length = size;
    request.has_body = source && size != 0U;
    request.body_source = source;
    request.streamed = source && request.path.ends_with("media");
    auto response = co_await loop.process.pipeline().serve(request);
    Answer answer{response.status, std::move(response.head), std::move(response.body)};
    while (response.stream) {
      const auto piece = co_await response.stream->next();
      if (piece.empty()) break;
      answer.body.append(piece);
    }
    co_return answer;
  }

  simulator_tests::SimulatorProcess simulator{{"--app-id", "300", "--app-secret", "the-app-secret"}};
  Loop loop;
  Organizations organizations{loop};
  conversations_tests::Database database;
  pg::Pool pool;
  chassis::Idempotency idempotency{loop.process, pool};
  channel::Client channel;
  conversations::templates::Store template_store;
  conversations::templates::Catalogue catalogue;
  conversations::templates::Api template_api;
  conversations::media::Store media_store;
  conversations::media::Files media_files;
  conversations::media::Api media_api;
  http::Client control_client;  // of the simulator, as whoever we like

 private:
  static channel::Settings settings(const std::string& url) {
    channel::Settings out;
    out.url = url + "/v20.0";
    return out;
  }
  awaitable<bool> learn(conversations::templates::Report report) {
    auto transaction = pool.begin_later(organizations.account.organizationId);
    events::Changes changes;
    co_await conversations::templates::follow(transaction, {&report, 1}, changes);
    if (!changes.empty()) heard.push_back(changes.json().text);
    co_await transaction.commit();
    co_return true;
  }
  awaitable<bool> close() {
    co_await pool.close();
    co_return true;
  }

  const model::Uuid member_ = model::new_uuid();
  identity::Signer gateway_{"gateway", seed()};
};

}  // namespace parley::channel_tests
