#pragma once
// Recipients and retargets of campaigns: the routes of conversations over its database, and those of contacts' lists
// over theirs, which the former asks over HTTP.
#include <deque>
#include <map>

#include "common/chassis/idempotency.hpp"
#include "common/identity/token.hpp"
#include "contacts/lists/api.hpp"
#include "conversations/campaigns/audience_lists/api.hpp"
#include "conversations/campaigns/audience_lists/worker.hpp"
#include "conversations/campaigns/figures/api.hpp"
#include "conversations/campaigns/recipients/api.hpp"
#include "tests/integration/contacts_bed.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::recipients_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations_tests::quoted;
using model::Uuid;

struct Answer {
  unsigned status = 0;
  std::string head, body;

  boost::json::value json() const;
  bool has(std::string_view text) const { return head.find(text) != head.npos; }
  // Of `Link: <TARGET>; rel="next"`, "" if there is none.
  std::string next() const;
  std::string pointer() const;  // of the first fault
};

class Bed {
 public:
  // Of a page at most so many recipients are looked at.
  explicit Bed(std::int64_t max_looked_at = 20'000);
  ~Bed();

  Answer get(const std::string& target) { return ask(http::Method::get, target); }
  Answer post(const std::string& target, const std::string& body, const std::string& key = "") {
    return ask(http::Method::post, target, body, "", key);
  }
  Answer as_service(const std::string& service, const std::string& target, const std::string& body,
                    const std::string& key = "") {
    return ask(http::Method::post, target, body, service, key);
  }
  // Begins to read it, and reads no further for as long as `unread` has it.
  unsigned begin(const std::string& target);
  std::vector<std::shared_ptr<http::BodySource>> unread;
  Answer ask(http::Method method, const std::string& target, const std::string& body = "",
             const std::string& service = "", const std::string& key = "");

  // A campaign with recipients 1 .. count, each contact one of contacts'. The expressions of `n`, its ordinal, give
  // what is not null: `status` of its message ("NULL": it has none), `more` other columns of it: error_code,
  // error_text.
  Uuid add_campaign(int count, const std::string& status, const std::string& more = "NULL::int, NULL::text",
                    const std::string& campaign_status = "Finished", const std::string& skipped = "NULL");
  Uuid contact(const Uuid& campaign, int ordinal) const;
  std::string recipients_path(const Uuid& campaign, const std::string& query = "") const {
    return "/api/campaigns/" + campaign.text() + "/recipients" + (query.empty() ? "" : "?" + query);
  }
  // Those of all pages, and the phones of them.
  boost::json::array all(const Uuid& campaign, const std::string& query = "");
  // The n's of the phones that add_campaign() gave.
  std::vector<int> ordinals(const Uuid& campaign, const std::string& query = "");

  // A retarget that is begun, and one that has ended.
  boost::json::value retarget(const Uuid& campaign, const std::string& criteria);
  boost::json::value finished(const boost::json::value& retarget);
  void start_worker(std::int64_t most = 10'000);
  void stop_workers();
  // The ordinals of a list's contacts.
  std::vector<int> members(const boost::json::value& retarget);

  void until(const std::function<bool()>& condition);
  void run(awaitable<void> work);

  Uuid organization = model::new_uuid();
  identity::PermissionSet permissions = identity::PermissionSet::all();
  conversations_tests::Database database;
  contacts_tests::Database contacts;
  // What becomes of requests that come to contacts over HTTP: each once, then all are served.
  enum class Fate { serve, refuse, lose_answer, lead_away, distrust };
  std::deque<Fate> fates;
  int asked = 0;

 private:
  bool reads_ = true;
  // Writes the figures that a campaign's transactions would have written.
  void count_figures(const Uuid& campaign);
  awaitable<http::Response> serve(http::Request& request);

  chassis::Process process_, contacts_process_;
  pg::Pool pool_, contacts_pool_;
  chassis::Idempotency idempotency_{process_, pool_}, contacts_idempotency_{contacts_process_, contacts_pool_};
  redis::Client redis_;
  redis::CountCache counts_;
  contacts::lists::Store list_store_;
  contacts::lists::Api list_api_;
  http::Server server_;
  chassis::ServiceClient peer_;
  conversations::recipients::Store recipient_store_;
  conversations::recipients::Api recipient_api_;
  conversations::figures::Store figure_store_;
  conversations::figures::Api figure_api_;
  conversations::audience_lists::Store retarget_store_;
  conversations::audience_lists::Api retarget_api_;
  std::vector<std::unique_ptr<conversations::audience_lists::Worker>> workers_;

 public:
  pg::Pool& contacts_pool() { return contacts_pool_; }
};

}  // namespace parley::recipients_tests
