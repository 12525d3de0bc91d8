#include "conversations/channel/templates/store.hpp"

#include "conversations/channel/templates/rows.hpp"
#include "conversations/channel/templates/sql.hpp"

namespace parley::conversations::templates {

namespace {

template <class T, class Member>
std::vector<Member> column(const std::vector<T>& list, Member T::* member) {
  std::vector<Member> out;
  out.reserve(list.size());
  for (const auto& element : list) out.push_back(element.*member);
  return out;
}

// A reinstated or unarchived template is approved again.
std::string status_of(const std::string& event) {
  return event == "REINSTATED" || event == "UNARCHIVED" ? "APPROVED" : event;
}

PhoneNumber number_of(NumberRow row) {
  PhoneNumber out{row.id,
                  std::move(row.id),
                  std::move(row.display_phone_number),
                  std::move(row.verified_name),
                  std::move(row.quality_rating),
                  std::move(row.throughput),
                  std::move(row.messaging_limit),
                  row.registered,
                  {}};
  if (row.stopped)
    out.sendingStopped = SendingStopped{row.stop_code.value_or(0), row.stop_text.value_or(""), row.stopped_until};
  return out;
}

}  // namespace

awaitable<void> follow(pg::Transaction& transaction, std::span<const Report> reports, events::Changes& changes) {
  pg::Batch batch;
  for (const auto& report : reports)
    batch.add(sql::learn, report.business_account_id, report.template_id, report.at, status_of(report.status),
              report.reason, report.quality, report.category);
  const auto results = co_await transaction.run(std::move(batch));
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (auto& row : results.rows<LearnedRow>(i)) {
      if (!row.changed) continue;
      const auto organization = row.organization_id;
      changes.add(co_await change_of(transaction, organization, std::move(row)));
    }
}

awaitable<events::TemplateChanged> change_of(pg::Transaction& transaction, model::Uuid organization, Template changed) {
  events::TemplateChanged out{organization,
                              std::move(changed.id),
                              std::move(changed.name),
                              std::move(changed.language),
                              std::move(changed.category),
                              std::move(changed.status),
                              std::move(changed.statusReason),
                              std::move(changed.quality),
                              {},
                              model::Timestamp::now()};
  if (out.status == "APPROVED") co_return out;
  const auto results = co_await transaction.run(pg::Batch(sql::users, organization, out.name, out.language));
  out.campaignIds = results.rows<model::Uuid>();
  co_return out;
}

awaitable<Listed> Store::find_list(model::Uuid organization, Kind kind, std::chrono::seconds good_for) {
  const auto seconds = static_cast<int>(good_for.count());
  const auto results = co_await database_.read(pg::Batch(sql::find_list, organization, kind, seconds));
  co_return results.one<Listed>();
}

awaitable<void> Store::save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                            std::vector<channel::Template> templates) {
  using channel::Template;
  const auto ids = column(templates, &Template::id);
  pg::Batch batch;
  batch.add(sql::save_list, organization, Kind::Templates, business_account_id, now);
  batch.add(sql::remove_templates, organization, ids, now);
  batch.add(sql::save_templates, organization, business_account_id, now, ids, column(templates, &Template::name),
            column(templates, &Template::language), column(templates, &Template::category),
            column(templates, &Template::status), column(templates, &Template::reason),
            column(templates, &Template::quality), column(templates, &Template::components));
  co_await database_.write(std::move(batch));
}

awaitable<void> Store::save(model::Uuid organization, std::string business_account_id, model::Timestamp now,
                            std::vector<channel::PhoneNumber> numbers) {
  using channel::PhoneNumber;
  const auto ids = column(numbers, &PhoneNumber::id);
  pg::Batch batch;
  batch.add(sql::save_list, organization, Kind::PhoneNumbers, business_account_id, now);
  batch.add(sql::remove_phone_numbers, organization, ids);
  batch.add(sql::save_phone_numbers, organization, business_account_id, ids,
            column(numbers, &PhoneNumber::displayPhoneNumber), column(numbers, &PhoneNumber::verifiedName),
            column(numbers, &PhoneNumber::qualityRating), column(numbers, &PhoneNumber::throughput),
            column(numbers, &PhoneNumber::registered), column(numbers, &PhoneNumber::messagingLimit));
  co_await database_.write(std::move(batch));
}

awaitable<std::vector<KnownTemplate>> Store::find_templates(model::Uuid organization, std::string business_account_id,
                                                            std::string name) {
  const auto results = co_await database_.read(pg::Batch(sql::find_templates, organization, business_account_id, name));
  co_return results.rows<KnownTemplate>();
}

awaitable<std::optional<VersionedTemplate>> Store::find_template(model::Uuid organization,
                                                                 std::string business_account_id, std::string id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, business_account_id, id));
  co_return results.optional<VersionedTemplate>();
}

awaitable<bool> Store::claim(model::Uuid organization, std::string id, std::string version) {
  const auto results = co_await database_.write(pg::Batch(sql::claim, organization, id, version));
  co_return results.optional<std::string>().has_value();
}

awaitable<Template> Store::put(pg::Transaction& transaction, model::Uuid organization, std::string business_account_id,
                               const channel::Template& made) {
  pg::Batch batch(sql::changed, organization, business_account_id);
  batch.add(sql::put, organization, business_account_id, made.id, made.name, made.language, made.category, made.status,
            made.reason, made.quality, made.components.text);
  co_return (co_await transaction.run(std::move(batch))).one<Template>(1);
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, std::string business_account_id,
                              std::string id) {
  pg::Batch batch(sql::changed, organization, business_account_id);
  batch.add(sql::remove, organization, id);
  co_await transaction.run(std::move(batch));
}

awaitable<std::vector<model::Uuid>> Store::old_limits(std::chrono::seconds good_for) {
  const auto seconds = static_cast<int>(good_for.count());
  co_return (co_await database_.read(pg::Batch(sql::old_limits, seconds))).rows<model::Uuid>();
}

awaitable<Page> Store::list(model::Uuid organization, std::string business_account_id, Filter filter) {
  const bool by_search = !filter.search.empty();
  const bool by_name = filter.name.has_value();
  const bool by_language = filter.language.has_value();
  const bool by_status = filter.status.has_value();
  const bool by_category = filter.category.has_value();
  const auto after = filter.place.value_or(PageCursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.place.has_value(),
                       .by_category = by_category,
                       .by_language = by_language,
                       .by_name = by_name,
                       .by_search = by_search,
                       .by_status = by_status,
                       .descending = filter.descending}],
            organization, business_account_id, filter.search, filter.name, filter.language, filter.status,
            filter.category, after.name, after.language, after.id, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_category = by_category,
                        .by_language = by_language,
                        .by_name = by_name,
                        .by_search = by_search,
                        .by_status = by_status}],
            organization, business_account_id, filter.search, filter.name, filter.language, filter.status,
            filter.category);
  const auto results = co_await database_.read(std::move(batch));
  co_return Page{results.rows<Template>(0), results.one<std::int64_t>(1)};
}

awaitable<std::vector<notices::Notice>> Store::notices(model::Uuid organization, std::string business_account_id) {
  return notices::recent(database_, organization, std::move(business_account_id));
}

awaitable<std::vector<PhoneNumber>> Store::phone_numbers(model::Uuid organization, std::string business_account_id) {
  const auto results = co_await database_.read(pg::Batch(sql::phone_numbers, organization, business_account_id));
  std::vector<PhoneNumber> out;
  for (auto& row : results.rows<NumberRow>()) out.push_back(number_of(std::move(row)));
  co_return out;
}

}  // namespace parley::conversations::templates
