#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "common/events/event.hpp"
#include "common/events/template_changes.hpp"
#include "common/model/versioned.hpp"
#include "common/pg/pool.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/notices/store.hpp"
#include "conversations/channel/templates/report.hpp"
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

using VersionedTemplate = model::Versioned<Template>;

// Updates the templates for all organizations with these accounts, and adds the events. Their lists are asked for again
// where a template is not known, where a list is newer than the report, and if it tells nothing. Reports may come late,
// repeatedly and in any order.
awaitable<void> follow(pg::Transaction& transaction, std::span<const Report> reports, events::Changes& changes);

// The event of a change. If the template cannot be sent, it names the campaigns that would send it.
awaitable<events::TemplateChanged> change_of(pg::Transaction& transaction, model::Uuid organization, Template changed);

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
  awaitable<std::optional<VersionedTemplate>> find_template(model::Uuid organization, std::string business_account_id,
                                                            std::string id);
  // Raises the template's version; false if it was another one.
  awaitable<bool> claim(model::Uuid organization, std::string id, std::string version);
  // Keeps what the channel took.
  awaitable<Template> put(pg::Transaction& transaction, model::Uuid organization, std::string business_account_id,
                          const channel::Template& made);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, std::string business_account_id,
                         std::string id);
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
