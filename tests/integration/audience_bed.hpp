#pragma once
// Audiences gathered from a real contacts' database into one of conversations, over HTTP.
#include <map>

#include "contacts/audience/api.hpp"
#include "conversations/campaigns/audience/worker.hpp"
#include "tests/integration/contacts_bed.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::audience_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations::audience::Settings;
using conversations_tests::quoted;
using model::Uuid;

// POST /internal/contacts/audience.
class Contacts {
 public:
  Contacts(chassis::Process& process, pg::Settings database, int port = 0);
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.endpoint().port()); }
  void stop() { server_.close_all(); }
  bool stopped() const { return server_.stats().connections == 0; }

  int asked = 0;
  std::function<void()> before = [] {};   // an answer; `asked` counts it already
  std::optional<http::Response> instead;  // of one

 private:
  awaitable<http::Response> serve(http::Request& request);
  pg::Pool pool_;
  contacts::audience::Store store_;
  http::Server server_;
};

// Both databases, with one organization.
struct World {
  contacts_tests::Database people;
  conversations_tests::Database database;
  Uuid organization = model::new_uuid();

  // Contacts 1 to `count`, with names, numbers and cities, in the order of their ids.
  void add_people(int count, int first = 1);
  static Uuid person(int n);
  static std::vector<Uuid> people_of(int first, int last);
  Uuid add_list(int first, int last) { return people.add_list(organization, "a list", people_of(first, last)); }
  void change(const std::string& sql) { people.sql().rows(sql); }

  struct Draft {
    std::vector<Uuid> lists, excluded{};
    std::string message = R"({"type": "Text", "text": "Hello {{name|you}} of {{city}}"})";
    std::string variants = "[]";
  };
  Uuid run_campaign(const Draft& draft) const;  // Running, as start leaves it
  std::string value(const std::string& sql) const { return database.execute(sql); }
  std::string campaign(const Uuid& id, const std::string& column) const {
    return value("SELECT " + column + " FROM campaign WHERE id = " + quoted(id));
  }
  // A column of a person's target, "" when there is none.
  std::string target(const Uuid& campaign, int n, const std::string& column) const {
    return value("SELECT " + column + " FROM target WHERE campaign_id = " + quoted(campaign) +
                 " AND contact_id = " + quoted(person(n)));
  }
  std::int64_t targets(const Uuid& campaign, const std::string& condition = "true") const {
    return database.number("SELECT count(*) FROM target WHERE campaign_id = " + quoted(campaign) + " AND " + condition);
  }
  // What is wrong with an audience that is said to be complete; "" when nothing is.
  std::string faults(const Uuid& campaign) const;
};

// Short times and pages.
Settings quick();
chassis::ProcessSettings process_settings();

// A dispatcher's worker and contacts on one loop.
class Bed : public World {
 public:
  explicit Bed(Settings settings = quick());
  ~Bed();
  // Turns the loop. What changes campaigns must not wait here: the loop may have them locked.
  void until(const std::function<bool()>& condition);
  void run_for(std::chrono::milliseconds time);
  void start() { worker_.start(); }
  void until_done(const Uuid& campaign) {
    until([&] { return this->campaign(campaign, "audience_done") == "t"; });
  }
  template <class T>
  T run(awaitable<T> work) {
    std::optional<T> out;
    process.spawn("a step", [](awaitable<T> step, std::optional<T>& result) -> awaitable<void> {
      result = co_await std::move(step);
    }(std::move(work), out));
    until([&] { return out.has_value(); });
    return std::move(*out);
  }

  chassis::Process process;
  Contacts contacts;
  pg::Pool pool;

 private:
  chassis::ServiceClient peer_;
  conversations::audience::Worker worker_;
};

}  // namespace parley::audience_tests
