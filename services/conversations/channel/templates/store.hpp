#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/notices/store.hpp"
#include "conversations/channel/templates/shapes.hpp"

namespace parley::conversations::templates {

using boost::asio::awaitable;

enum class Kind { Templates, PhoneNumbers };
BOOST_DESCRIBE_ENUM(Kind, Templates, PhoneNumbers)

struct Listed {
  model::Timestamp now;                            // by the database's clock
  std::optional<std::string> business_account_id;  // the account listed; null: never requested
  std::optional<bool> fresh;
};
BOOST_DESCRIBE_STRUCT(Listed, (), (now, business_account_id, fresh))

struct KnownTemplate {
  std::string language, status;
  model::RawJson components;
};
BOOST_DESCRIBE_STRUCT(KnownTemplate, (), (language, status, components))

// A webhook's message_template_status_update.
struct StatusUpdate {
  std::string business_account_id, template_id;
  std::string status;  // the webhook's `event`
  std::string reason;  // "" for none
};

// Updates the template for all organizations with this account, and expires their lists: it may be a new template.
void follow(pg::Batch& batch, const StatusUpdate& update);
// Expires these lists after any other webhook on templates (category, quality).
void expire(pg::Batch& batch, const std::string& business_account_id);

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // `fresh`: requested within the last `good_for`.
  awaitable<Listed> find_list(model::Uuid organization, Kind kind, std::chrono::seconds good_for);
  // Replaces the stored list by the channel's answer, which was requested after `now`.
  awaitable<void> save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                       std::vector<channel::Template> templates);
  awaitable<void> save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                       std::vector<channel::PhoneNumber> numbers);

  // All languages of the name.
  awaitable<std::vector<KnownTemplate>> find_templates(model::Uuid organization, std::string business_account_id,
                                                       std::string name);
  // Up to 100 organizations with campaigns that run or begin within an hour, and numbers not listed within `good_for`.
  awaitable<std::vector<model::Uuid>> old_limits(std::chrono::seconds good_for);
  awaitable<Page> list(model::Uuid organization, std::string business_account_id, Filter filter);
  awaitable<std::vector<PhoneNumber>> phone_numbers(model::Uuid organization, std::string business_account_id);
  // What the channel told about the account, the newest first.
  awaitable<std::vector<notices::Notice>> notices(model::Uuid organization, std::string business_account_id);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::templates
