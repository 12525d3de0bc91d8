#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/templates/shapes.hpp"

namespace parley::conversations::templates {

using boost::asio::awaitable;

// What the channel lists.
enum class Kind { Templates, PhoneNumbers };
BOOST_DESCRIBE_ENUM(Kind, Templates, PhoneNumbers)

// How a list stands here.
struct Listed {
  model::Timestamp now;                            // by the database's clock
  std::optional<std::string> business_account_id;  // whose it is; null: it was never asked for
  std::optional<bool> fresh;
};
BOOST_DESCRIBE_STRUCT(Listed, (), (now, business_account_id, fresh))

// What the check of a campaign wants to know of a template.
struct KnownTemplate {
  std::string language, status;
  model::RawJson components;
};
BOOST_DESCRIBE_STRUCT(KnownTemplate, (), (language, status, components))

// What a webhook tells of a template (message_template_status_update).
struct StatusUpdate {
  std::string business_account_id, template_id;
  std::string status;  // its `event`
  std::string reason;  // "" for none
};

// Lets the kept lists of all organizations with this business account follow. They are asked for again, too, since the
// template may be one that was not there before.
void follow(pg::Batch& batch, const StatusUpdate& update);
// The same for whatever else a webhook tells of templates: their category, their quality.
void expire(pg::Batch& batch, const std::string& business_account_id);

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Fresh: it was asked for in the last `good_for`.
  awaitable<Listed> find_list(model::Uuid organization, Kind kind, std::chrono::seconds good_for);
  // What the channel listed, asked after `now`, in place of what was kept.
  awaitable<void> save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                       std::vector<channel::Template> templates);
  awaitable<void> save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                       std::vector<channel::PhoneNumber> numbers);

  // All languages of a name.
  awaitable<std::vector<KnownTemplate>> find_templates(model::Uuid organization, std::string business_account_id,
                                                       std::string name);
  // Some of the organizations with campaigns that run, or begin within the hour, whose numbers were not listed in the
  // last `good_for`.
  awaitable<std::vector<model::Uuid>> old_limits(std::chrono::seconds good_for);
  awaitable<Page> list(model::Uuid organization, std::string business_account_id, Filter filter);
  awaitable<std::vector<PhoneNumber>> phone_numbers(model::Uuid organization, std::string business_account_id);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::templates
