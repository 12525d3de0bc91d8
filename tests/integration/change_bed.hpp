#pragma once
// A small service with one resource, things, whose routes change it through chassis::Change; and a way to its database
// on which connections can be lost at a chosen moment.

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/chassis/idempotency.hpp"
#include "common/chassis/process.hpp"
#include "common/http/etag.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/sql.hpp"

namespace parley::change_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using http::Method;
using model::Uuid;

// Forwards to PostgreSQL. What is armed happens at the next octets that a client sends, on their connection.
class Way {
 public:
  enum class Loss {
    none,
    request,  // they are not forwarded: the server learns that the connection is gone
    answer    // they are, and what the server answers is not
  };
  Way(boost::asio::io_context& context, int server_port);
  int port() const { return acceptor_.local_endpoint().port(); }
  Loss loss = Loss::none;

 private:
  using Socket = boost::asio::ip::tcp::socket;
  struct Line {
    Socket client, server;
    bool deaf = false;  // what the server says is dropped, and then the line with it
    void close();
  };
  awaitable<void> accept();
  awaitable<void> to_server(std::shared_ptr<Line> line);
  static awaitable<void> to_client(std::shared_ptr<Line> line);

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::endpoint server_;
};

struct Ask {
  Method method = Method::post;
  std::string target = "/api/things";
  std::string body = R"({"name":"one"})";
  std::string key{};  // Idempotency-Key
  std::vector<std::pair<std::string, std::string>> fields{};
  Uuid organization{}, member{};  // nil: the bed's own
  std::size_t piece = 0;          // the body comes in pieces of this size; 0: whole
  bool streamed = false;          // its route takes it in pieces
};

class Service {
 public:
  Service();
  ~Service();

  http::Response send(const Ask& ask);
  // All at once; the answers in the order of what was asked.
  std::vector<http::Response> send_all(const std::vector<Ask>& asks);
  // Sends without waiting: the answer is there when the pointer's is.
  std::shared_ptr<std::optional<http::Response>> launch(const Ask& ask);
  void turn_until(const std::function<bool()>& condition);

  std::int64_t things() { return sql.number("SELECT count(*) FROM thing"); }
  std::int64_t recorded() { return sql.number("SELECT count(*) FROM idempotency"); }
  std::string name_of(const Uuid& id) { return sql.value("SELECT name FROM thing WHERE id = $1", {id.text()}); }
  Uuid add_thing(const std::string& name, int version = 0);

  // Hooks of the handlers that change things: before their first statement, in the transaction before its first change,
  // and before its commit.
  std::function<awaitable<void>()> before_statement;
  std::function<awaitable<void>()> in_transaction;
  std::function<void()> before_commit;
  bool degraded = false;  // the answers lack a part
  std::string elsewhere;  // what another context knows of all things: a part of what find answers
  int runs = 0;           // handlers that came beyond their first statement

 private:
  std::string database_;

 public:
  chassis::Process process;
  Way way;
  pg::Pool pool;
  chassis::Idempotency idempotency;
  support::Sql sql;
  const Uuid organization = model::new_uuid(), member = model::new_uuid();

 private:
  struct Request;
  class Api;
  std::unique_ptr<Api> api_;
};

// The value of a field, "" if there is none.
std::string field(const http::Response& response, std::string_view name);

}  // namespace parley::change_tests
