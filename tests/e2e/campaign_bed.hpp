#pragma once
// A campaign's scene: an organization that is connected to the simulator, lists of contacts that were imported,
// campaigns made and started as clients do it, and what became of their recipients: as the product says, and as the
// simulator counted.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <string>

#include "tests/e2e/channel_bed.hpp"

namespace parley::e2e {

class CampaignScene {
 public:
  // Makes the organization and connects it to the number, and the template "greeting" in en_US: "Hello {{1}}, about
  // {{2}}.".
  CampaignScene(System& system, const std::string& name, const std::string& phone_number_id);

  Channel& channel() { return channel_; }
  Client client() { return channel_.client(); }

  // The n-th person's number without its plus, of all scenes of a system.
  static std::string number(int n);
  // Imports the people `first` .. `first + count - 1` into a new list: "Person N", with the attributes city ("Town 0"
  // to "Town 6") and, but for every tenth, order (N). Who is known already joins the list. Returns its id once all are
  // in it.
  std::string import_list(const std::string& name, int first, int count);
  // A list without anybody.
  std::string make_list(const std::string& name);
  // POST /api/contacts/{id} for the n-th person, such as {"status": "Blocked"}.
  void change_contact(int n, const boost::json::object& changes);

  // A text message to lists, of this scene's number: what make() takes, to be added to.
  boost::json::object text_campaign(const std::vector<std::string>& lists,
                                    const std::string& text = "Hello {{name|there}}") const;
  // The same with a template of the channel's, such as "greeting" with {"1": "{{name|there}}", "2": "{{order|-}}"}.
  boost::json::object template_campaign(const std::vector<std::string>& lists, const std::string& name,
                                        boost::json::object parameters) const;
  // POST /api/campaigns: a Draft. Returns its id.
  std::string make(const boost::json::object& campaign);
  // POST /api/campaigns/{id}/{action}: start, pause, resume, cancel. Fails the test unless it is answered 200, and
  // returns the status that the campaign has then.
  std::string act(const std::string& id, const std::string& action);
  // make(), and start.
  std::string start(const boost::json::object& campaign);

  boost::json::object campaign(const std::string& id);
  std::string status(const std::string& id);
  // One of its progress: "recipients", "skipped", "pending", "sent", "delivered", "read", "failed", "undelivered",
  // "inDoubt".
  std::int64_t progress(const std::string& id, std::string_view what);
  // For a minute, then the test fails with the campaign as it is.
  void wait_for_status(const std::string& id, std::string_view status);
  void wait_for_progress(const std::string& id, std::string_view what, std::int64_t at_least);

  // GET /api/campaigns/{id}/recipients, page by page to the end. `query` such as "state=Failed".
  boost::json::array recipients(const std::string& id, const std::string& query = {});
  // Adds failed checks unless the progress adds up and is what the recipients, asked for by state, are.
  void check_adds_up(const std::string& id);

  // How many messages the simulator accepted, of all campaigns and everything else, by number without plus.
  std::map<std::string, std::int64_t> accepted();

 private:
  Channel channel_;
};

}  // namespace parley::e2e
