#pragma once
// Webhooks of organizations: their routes, what is made of events, and endpoints that they are posted to.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/chassis/idempotency.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/identity/token.hpp"
#include "conversations/events/subscriptions/api.hpp"
#include "conversations/events/subscriptions/fan_out.hpp"
#include "conversations/events/subscriptions/worker.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/http_bed.hpp"

namespace parley::subscriptions_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations::subscriptions::DeliverySettings;
using conversations_tests::Database;
using conversations_tests::quoted;
using model::Uuid;

// Somebody's endpoint: notes what is posted to it, and answers as it is told.
class Endpoint {
 public:
  Endpoint();
  std::string url(const std::string& path = "/hook") const { return server_.url() + path; }
  unsigned short port() const { return server_.port(); }

  struct Call {
    std::string path, id, timestamp, signature, body;
  };
  std::vector<Call> calls();
  // Answers from now on, each once, the last one again and again. 0 hangs until the test is over.
  void answer(std::vector<unsigned> statuses, std::string body = "thanks");

 private:
  awaitable<http::Response> serve(http::Request& request);
  std::mutex mutex_;
  std::vector<Call> calls_;
  std::vector<unsigned> statuses_{204};
  std::string body_ = "thanks";
  http_tests::TestServer server_;
};

DeliverySettings quick_delivery();

class Bed {
 public:
  explicit Bed(DeliverySettings settings = quick_delivery(), bool allow_private = true);
  ~Bed();

  http::Response get(const std::string& target) { return send(http::Method::get, target, ""); }
  http::Response post(const std::string& target, const std::string& body = "") {
    return send(http::Method::post, target, body);
  }
  http::Response remove(const std::string& target) { return send(http::Method::del, target, ""); }
  http::Response send(http::Method method, const std::string& target, const std::string& text);

  struct Made {
    std::string id, secret, path;
  };
  // Who asks: with all permissions unless a test says otherwise. What organizations says of members, by their ids, as
  // JSON; "" of one who is no more.
  identity::PermissionSet permissions = identity::PermissionSet::all();
  Uuid member = model::new_uuid();
  std::map<Uuid, std::string> members;
  bool organizations_are_away = false;
  Uuid unanswered;  // a member of whom no question is answered

  Made make(const std::string& url, const std::string& events = R"(["conversation.status"])");
  // Tells of a conversation's new status, once for each organization, in one event; applied when it returns.
  void tell(const std::vector<Uuid>& organizations);
  pg::Pool& pool() { return pool_; }
  boost::json::array deliveries(const Made& webhook, const std::string& query = "");
  void until(const std::function<bool()>& condition);
  void run(awaitable<void> work);

  Database database;
  Uuid organization = model::new_uuid();

 private:
  awaitable<std::optional<chassis::Fragments>> ask(std::vector<Uuid> asked);

  chassis::Process process_;

 public:
  std::shared_ptr<const secrets::KeyRing> keys;

 private:
  pg::Pool pool_;
  chassis::Idempotency idempotency_{process_, pool_};
  chassis::EventFeed feed_;
  chassis::Quotas quotas_{{{"webhooks", 100}}};
  conversations::subscriptions::Store store_;
  conversations::subscriptions::Api api_;
  conversations::subscriptions::Worker worker_;
};

boost::json::value json_of(const http::Response& response);

}  // namespace parley::subscriptions_tests
