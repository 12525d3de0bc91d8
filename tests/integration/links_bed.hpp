#pragma once
// Links of a campaign's recipients, and processes that lead along them.
#include <doctest/doctest.h>

#include <deque>

#include "conversations/campaigns/links/api.hpp"
#include "conversations/campaigns/links/urls.hpp"
#include "conversations/schema.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/sql.hpp"

namespace parley::links_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations::rendering::Url;
using model::Uuid;

inline constexpr auto kBrowser = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36";
inline constexpr auto kWhatsApp = "WhatsApp/2.23.20.0";

// A database of its own on a server, with a campaign that was sent to some people.
class Campaign {
 public:
  explicit Campaign(support::PostgresServer& server, int recipients = 10);

  // Another campaign of another organization in the same database.
  void add(const Uuid& organization, const Uuid& id, int recipients);
  support::Sql sql() const { return support::Sql(url); }
  std::int64_t number(const std::string& text) const { return sql().number(text); }
  // That the rows of clicks, the counts, what was told and what recipients did agree.
  void check_figures() const;

  std::string url;
  Uuid organization = model::new_uuid(), id = model::new_uuid();
};

struct Visit {
  std::optional<http::Response> response;
  bool over() const { return response.has_value(); }
  unsigned status() const { return response->status; }
  std::string location() const;

  std::string path, token, agent;
  std::vector<http::Field> fields;
  http::Request request;
};

// A process that serves links.
class Replica {
 public:
  explicit Replica(const std::string& url);
  ~Replica();

  Visit& start(const std::string& code, const std::string& agent = kBrowser, http::Method method = http::Method::get);
  Visit& visit(const std::string& code, const std::string& agent = kBrowser, http::Method method = http::Method::get) {
    auto& visit = start(code, agent, method);
    until([&] { return visit.over(); });
    return visit;
  }
  void take(const conversations::engagement::Click& click) { process_.spawn("a click", clicks.take(click)); }
  std::size_t answered() const;
  bool all_answered() const { return answered() == visits_.size(); }
  void until(const std::function<bool()>& condition);
  void turn();
  void until_available() {
    until([this] { return database.available(); });
  }
  void until_written() {
    until([this] { return clicks.waiting() == 0; });
  }
  void stop();  // as at the process's end
  std::vector<Url> urls(const Campaign& campaign, std::vector<std::string> urls);
  std::vector<model::CampaignLink> figures(const Campaign& campaign);

 private:
  static pg::Settings database_settings(const std::string& url);
  awaitable<void> serve(Visit& visit);

  chassis::Process process_;
  bool stopped_ = false;

 public:
  pg::Pool database;

 private:
  chassis::EventFeed feed_;

 public:
  conversations::links::Destinations destinations{process_, database};
  conversations::links::Clicks clicks{process_, database};

 private:
  conversations::links::Api api_{process_, destinations, clicks};
  std::deque<Visit> visits_;
};

}  // namespace parley::links_tests
