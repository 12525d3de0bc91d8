#include "tests/integration/change_bed.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>
#include <boost/describe/class.hpp>

#include "common/chassis/change.hpp"
#include "common/model/versioned.hpp"
#include "tests/support/process.hpp"

namespace parley::change_tests {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

const pg::Statement insert_thing("tests.change.insert_thing",
                                 "INSERT INTO thing (organization_id, id, name) VALUES ($1, $2, $3)", pg::Lane::write,
                                 {pg::oid::uuid, pg::oid::uuid, pg::oid::text}, pg::Statement::Kind::unprepared);
const pg::Statement lock_thing("tests.change.lock_thing",
                               "SELECT version::text FROM thing WHERE organization_id = $1 AND id = $2 FOR UPDATE",
                               pg::Lane::write, {pg::oid::uuid, pg::oid::uuid}, pg::Statement::Kind::unprepared);
const pg::Statement find_thing("tests.change.find_thing",
                               "SELECT id AS \"uniqueId\", name, version::text FROM thing "
                               "WHERE organization_id = $1 AND id = $2",
                               pg::Lane::read, {pg::oid::uuid, pg::oid::uuid}, pg::Statement::Kind::unprepared);
const pg::Statement rename_thing("tests.change.rename_thing",
                                 "UPDATE thing SET name = $3, version = version + 1 "
                                 "WHERE organization_id = $1 AND id = $2",
                                 pg::Lane::write, {pg::oid::uuid, pg::oid::uuid, pg::oid::text},
                                 pg::Statement::Kind::unprepared);
const pg::Statement delete_thing("tests.change.delete_thing",
                                 "DELETE FROM thing WHERE organization_id = $1 AND id = $2", pg::Lane::write,
                                 {pg::oid::uuid, pg::oid::uuid}, pg::Statement::Kind::unprepared);

struct NewThing {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(NewThing, (), (name))

struct Thing {
  Uuid uniqueId;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (uniqueId, name))
// With what another context knows of it.
struct FoundThing : Thing {
  std::string elsewhere;
};
BOOST_DESCRIBE_STRUCT(FoundThing, (Thing), (elsewhere))

// A database of its own on the shared server, which goes with the tests.
std::string make_database() {
  static int count = 0;
  const auto name = "change_" + std::to_string(++count);
  auto& server = pg_tests::shared_server();
  server.execute("CREATE DATABASE " + name);
  support::Sql sql(server.url("postgres", name));
  sql.rows(support::source_text("common/chassis/idempotency.sql"));
  sql.rows(
      "CREATE TABLE thing (organization_id uuid, id uuid, name text NOT NULL, version bigint NOT NULL DEFAULT 0, "
      "PRIMARY KEY (organization_id, id))");
  return name;
}

pg::Settings pool_settings(const Way& way, const std::string& database) {
  pg::Settings settings;
  settings.url = "postgresql://postgres@127.0.0.1:" + std::to_string(way.port()) + "/" + database;
  settings.connect_timeout = settings.outage_grace = settings.write_wait = 20s;
  return settings;
}

// A body, in pieces of a size or whole.
struct Body final : http::BodySource {
  awaitable<std::string_view> next() override {
    const auto out = std::string_view(text).substr(at, piece == 0 ? text.size() : piece);
    at += out.size();
    co_return out;
  }
  std::string text;
  std::size_t piece = 0, at = 0;
};

}  // namespace

// ---- the way to the database ----------------------------------------------------------------------------------------

Way::Way(asio::io_context& context, int server_port)
    : acceptor_(context, {asio::ip::make_address("127.0.0.1"), 0}),
      server_(asio::ip::make_address("127.0.0.1"), static_cast<asio::ip::port_type>(server_port)) {
  asio::co_spawn(context, accept(), asio::detached);
}

void Way::Line::close() {
  boost::system::error_code ignored;
  client.close(ignored);
  server.close(ignored);
}

awaitable<void> Way::accept() {
  for (;;) {
    auto [error, client] = co_await acceptor_.async_accept(asio::as_tuple(asio::deferred));
    if (error) co_return;
    auto line = std::make_shared<Line>(Line{std::move(client), Socket(acceptor_.get_executor())});
    const auto [refused] = co_await line->server.async_connect(server_, asio::as_tuple(asio::deferred));
    if (refused) continue;
    asio::co_spawn(acceptor_.get_executor(), to_server(line), asio::detached);
    asio::co_spawn(acceptor_.get_executor(), to_client(line), asio::detached);
  }
}

awaitable<void> Way::to_server(std::shared_ptr<Line> line) {
  std::array<char, 16384> octets;
  for (;;) {
    const auto [error, count] =
        co_await line->client.async_read_some(asio::buffer(octets), asio::as_tuple(asio::deferred));
    const auto now = std::exchange(loss, Loss::none);
    if (error || now == Loss::request) break;
    if (now == Loss::answer) line->deaf = true;
    co_await asio::async_write(line->server, asio::buffer(octets.data(), count), asio::as_tuple(asio::deferred));
  }
  line->close();
}

awaitable<void> Way::to_client(std::shared_ptr<Line> line) {
  std::array<char, 16384> octets;
  for (;;) {
    const auto [error, count] =
        co_await line->server.async_read_some(asio::buffer(octets), asio::as_tuple(asio::deferred));
    if (error || line->deaf) break;
    co_await asio::async_write(line->client, asio::buffer(octets.data(), count), asio::as_tuple(asio::deferred));
  }
  line->close();
}

// ---- the resource ---------------------------------------------------------------------------------------------------

class Service::Api {
 public:
  explicit Api(Service& service) : service_(service), database_(service.pool) {
    auto routes = service.process.pipeline().mount(*this);
    routes.post("/api/things", chassis::AnyMember{}, &Api::create);
    routes.get("/api/things/{id}", chassis::AnyMember{}, &Api::find);
    routes.get("/api/things/{id}/secret", chassis::AnyMember{}, &Api::find_secret);
    routes.post("/api/things/{id}", chassis::AnyMember{}, &Api::rename);
    routes.del("/api/things/{id}", chassis::AnyMember{}, &Api::remove);
    routes.post("/api/things/{id}/clear", chassis::AnyMember{}, &Api::clear);
    routes.post("/api/secrets", chassis::AnyMember{}, &Api::create_secret);
    routes.post("/api/uploads", chassis::AnyMember{}, &Api::upload);
  }

 private:
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change) {
    const auto body = co_await call.body<NewThing>();
    co_return co_await insert(call, change, body.name);
  }
  awaitable<http::Response> create_secret(chassis::Call& call, chassis::Change& change) {
    const auto body = co_await call.body<NewThing>();
    change.answer_is_secret();
    co_return co_await insert(call, change, body.name);
  }
  // Takes its body in pieces; the last one's first character stands for all of it.
  awaitable<http::Response> upload(chassis::Call& call, chassis::Change& change) {
    std::string name;
    for (auto piece = co_await call.request.body_source->next(); !piece.empty();) {
      name += piece;
      piece = co_await call.request.body_source->next();
    }
    change.identify_body(name.substr(0, 4));
    co_return co_await insert(call, change, name);
  }
  awaitable<http::Response> insert(chassis::Call& call, chassis::Change& change, const std::string& name) {
    const Thing thing{model::new_uuid(), name};
    co_await enter(call, change);
    co_await change.transaction().run(pg::Batch(insert_thing, call.organization(), thing.uniqueId, name));
    if (name == "refused") throw http::Problem({.status = 409, .detail = "this name is refused"});
    if (service_.before_commit) service_.before_commit();
    co_return http::created(thing, "/api/things/" + thing.uniqueId.text());
  }
  // With a first statement, which claims the key.
  awaitable<void> enter(chassis::Call& call, chassis::Change& change) {
    if (service_.before_statement) co_await service_.before_statement();
    co_await change.transaction().run(pg::Batch(lock_thing, call.organization(), Uuid{}));
    ++service_.runs;
    if (service_.degraded) call.degraded("contacts");
    if (service_.in_transaction) co_await service_.in_transaction();
  }

  awaitable<http::Response> find(chassis::Call& call) {
    const auto id = call.id();
    const auto rows = co_await database_.read(pg::Batch(find_thing, call.organization(), id));
    auto thing = rows.optional<model::Versioned<Thing>>();
    if (!thing) throw chassis::not_found("there is no such thing");
    call.show_version(thing->version);
    if (service_.degraded) call.degraded("contacts");
    co_return http::json_response(FoundThing{std::move(*thing), service_.elsewhere});
  }
  awaitable<http::Response> find_secret(chassis::Call& call) {
    auto response = co_await find(call);
    response.add("Cache-Control", "no-store");
    co_return response;
  }
  awaitable<http::Response> rename(chassis::Call& call, chassis::Change& change) {
    const auto id = call.id();
    const auto body = co_await call.body<NewThing>();
    const auto rows = co_await change.transaction().run(pg::Batch(lock_thing, call.organization(), id));
    const auto version = rows.optional<std::string>();
    if (!version) throw chassis::not_found("there is no such thing");
    call.require_version(*version);
    co_await enter(call, change);
    co_await change.transaction().run(pg::Batch(rename_thing, call.organization(), id, body.name));
    co_return http::json_response(Thing{id, body.name});
  }
  // Does not read its body.
  awaitable<http::Response> clear(chassis::Call& call, chassis::Change& change) {
    co_await enter(call, change);
    co_await change.transaction().run(pg::Batch(rename_thing, call.organization(), call.id(), ""));
    co_return http::no_content();
  }
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change) {
    const auto id = call.id();
    co_await enter(call, change);
    const auto done = co_await change.transaction().run(pg::Batch(delete_thing, call.organization(), id));
    if (done.affected() == 0) throw chassis::not_found("there is no such thing");
    co_return http::no_content();
  }

  Service& service_;
  pg::Pool& database_;
};

// ---- asking ---------------------------------------------------------------------------------------------------------

// All that a request points into.
struct Service::Request {
  Request(const Service& service, const Ask& ask) : target(ask.target) {
    identity::Identity caller;
    caller.organization_id = ask.organization.is_nil() ? service.organization : ask.organization;
    caller.member_id = ask.member.is_nil() ? service.member : ask.member;
    texts.reserve(2 * ask.fields.size() + 2);
    texts.push_back(identity::Signer("gateway", support::seed_of("gateway")).sign(caller, "things"));
    fields.push_back({identity::kField, texts.back()});
    fields.push_back({"Content-Type", "application/json"});
    texts.push_back(ask.key);
    if (!ask.key.empty()) fields.push_back({"Idempotency-Key", texts.back()});
    for (const auto& [name, value] : ask.fields) {
      const std::string_view kept_name = texts.emplace_back(name);
      fields.push_back({kept_name, texts.emplace_back(value)});
    }
    body.text = ask.method == Method::post ? ask.body : "";
    body.piece = ask.piece;
    request.method = ask.method;
    request.target = target;
    request.path = std::string_view(target).substr(0, target.find('?'));
    if (request.path.size() < target.size()) request.query = std::string_view(target).substr(request.path.size() + 1);
    request.fields = fields;
    request.has_body = !body.text.empty();
    request.content_length = body.text.size();
    request.body_source = &body;
    request.streamed = ask.streamed;
  }
  std::string target;
  std::vector<std::string> texts;
  std::vector<http::Field> fields;
  Body body;
  http::Request request;
};

Service::Service()
    : database_(make_database()),
      process(support::process_settings("things", {"gateway"})),
      way(process.context(), pg_tests::shared_server().port()),
      pool(process.context(), pool_settings(way, database_)),
      idempotency(process, pool),
      sql(pg_tests::shared_server().url("postgres", database_)),
      api_(std::make_unique<Api>(*this)) {
  pool.start();
  turn_until([&] { return pool.stats(pg::Lane::write).connections == 8 && pool.available(); });
}

Service::~Service() = default;

void Service::turn_until(const std::function<bool()>& condition) { support::run_until(process.context(), condition); }

std::shared_ptr<std::optional<http::Response>> Service::launch(const Ask& ask) {
  auto answer = std::make_shared<std::optional<http::Response>>();
  process.spawn("a request",
                [](chassis::Process& process, std::unique_ptr<Request> asked,
                   std::shared_ptr<std::optional<http::Response>> out) -> awaitable<void> {
                  *out = co_await process.pipeline().serve(asked->request);
                }(process, std::make_unique<Request>(*this, ask), answer));
  return answer;
}

http::Response Service::send(const Ask& ask) {
  const auto answer = launch(ask);
  turn_until([&] { return answer->has_value(); });
  return **answer;
}

std::vector<http::Response> Service::send_all(const std::vector<Ask>& asks) {
  std::vector<std::shared_ptr<std::optional<http::Response>>> answers;
  for (const auto& ask : asks) answers.push_back(launch(ask));
  std::vector<http::Response> out;
  for (const auto& answer : answers) {
    turn_until([&] { return answer->has_value(); });
    out.push_back(**answer);
  }
  return out;
}

Uuid Service::add_thing(const std::string& name, int version) {
  const auto id = model::new_uuid();
  sql.rows("INSERT INTO thing VALUES ($1, $2, $3, $4)",
           {organization.text(), id.text(), name, std::to_string(version)});
  return id;
}

std::string field(const http::Response& response, std::string_view name) {
  const auto at = response.head.find(std::string(name) + ": ");
  if (at == response.head.npos) return "";
  const auto begin = at + name.size() + 2;
  return response.head.substr(begin, response.head.find("\r\n", begin) - begin);
}

}  // namespace parley::change_tests
