#pragma once
// The conversations service in this process, between two neighbours that answer what a test wants.
#include <functional>
#include <map>

#include "common/chassis/idempotency.hpp"
#include "common/identity/token.hpp"
#include "conversations/inbox/conversations/api.hpp"
#include "conversations/inbox/notes/api.hpp"
#include "conversations/messages/api.hpp"
#include "conversations/messages/search/api.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::conversations_tests {

// Another context: answers each path with a status and a body, and remembers what it was asked.
class Neighbour {
 public:
  explicit Neighbour(chassis::Process& process);
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.endpoint().port()); }
  void stop();
  bool stopped() const { return server_.stats().connections == 0; }
  // What it was asked at that path.
  std::vector<std::string> asked(const std::string& path) const;

  struct Answer {
    unsigned status = 200;
    std::string body;
  };
  unsigned status = 200;
  std::string body;                       // of any path that is not in `answers`
  std::map<std::string, Answer> answers;  // by path
  std::vector<std::string> targets, bodies, callers;
  std::function<void()> when_asked;

 private:
  awaitable<http::Response> serve(http::Request& request);
  http::Server server_;
};

class Service {
 public:
  // Totals are kept in that Redis; "" is none.
  explicit Service(const std::string& redis_url = "");
  ~Service();

  http::Response get(const std::string& target) { return send(http::Method::get, target, "", member_token()); }
  http::Response post(const std::string& target, const std::string& body) {
    return send(http::Method::post, target, body, member_token());
  }
  http::Response remove(const std::string& target) { return send(http::Method::del, target, "", member_token()); }
  http::Response ask(const std::string& target, const std::string& service) {
    return send(http::Method::get, target, "", service_token(service));
  }
  http::Response send(http::Method method, const std::string& target, const std::string& text,
                      const std::string& token);
  // Posted all at once, and while these steps are taken.
  std::vector<http::Response> post_all(const std::vector<std::pair<std::string, std::string>>& requests,
                                       std::vector<awaitable<bool>> meanwhile = {});

  // The organization's account, and an address of `contact` with that status.
  void connect(const std::string& contact_status = "Active");
  // The service window of a conversation's contact, until so many hours from now.
  void open_window(const Uuid& conversation, int hours);

  Database database;
  Uuid organization = model::new_uuid(), contact = model::new_uuid(), caller = model::new_uuid();
  identity::PermissionSet permissions = identity::PermissionSet::all();
  std::string api_key;                                     // its id: who asks is a program
  std::vector<std::pair<std::string, std::string>> extra;  // header fields

  void turn_until(const std::function<bool()>& condition);

 private:
  std::string member_token() const;
  static std::string service_token(const std::string& name);
  struct Asked;

 protected:
  chassis::Process process_;

 public:
  Neighbour contacts, organizations;

 protected:
  pg::Pool pool_;
  chassis::Idempotency idempotency_{process_, pool_};
  redis::Client redis_;

 public:
  redis::CountCache counts{redis_, ""};

 protected:
  chassis::EventFeed feed_;
  chassis::ServiceClient contacts_peer_, organizations_peer_;
  conversations::channel::Accounts accounts_;

 private:
  conversations::messages::AddressBook addresses_;
  conversations::messages::Store messages_;
  conversations::messages::Api messages_api_;
  conversations::search::Api search_api_;
  conversations::conversations::Store store_;
  conversations::conversations::Api api_;
  conversations::notes::Store notes_;
  conversations::notes::Api notes_api_;
};

std::string path_of(const Uuid& conversation);
bool has(const http::Response& response, std::string_view text);  // in its head
boost::json::value json_of(const http::Response& response);
// Of the first fault.
std::string pointer_of(const http::Response& response);
std::vector<std::string> keys_of(const boost::json::value& object);

inline constexpr auto kContact =
    R"({"uniqueId":"c","name":"Ada","phone":"+44","attributes":{"b":1,"a":2},"createdAt":"x","status":"Active"})";
inline constexpr auto kMember = R"({"uniqueId":"m","roles":[]})";

// Where an answer's Link leads; "" without one.
std::string next_of(const http::Response& response);
// What `ids_in` finds in the page at `target` and in all that follow it by their Links, a hundred at most.
std::vector<std::string> follow(Service& service, std::vector<std::string> (*ids_in)(const http::Response&),
                                std::string target);

}  // namespace parley::conversations_tests
