#include "contacts/lists/checks.hpp"

#include <algorithm>
#include <charconv>

#include "common/model/text.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::lists {

namespace {

constexpr std::size_t kMaxContacts = 10'000;
constexpr std::size_t kMaxNameCharacters = 255;
constexpr std::size_t kMaxDescriptionCharacters = 2'000;

bool is_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// Sorted, without duplicates.
std::vector<model::Uuid> read_ids(const std::string& pointer, const std::optional<std::vector<std::string>>& texts,
                                  http::Faults& faults) {
  std::vector<model::Uuid> ids;
  if (!texts) return ids;
  if (texts->size() > kMaxContacts) faults.add(pointer, "must be at most " + std::to_string(kMaxContacts));
  for (std::size_t i = 0; i < std::min(texts->size(), kMaxContacts); ++i) {
    if (const auto id = model::Uuid::parse((*texts)[i]))
      ids.push_back(*id);
    else
      faults.add(pointer + "/" + std::to_string(i),
                 "there is no contact " + std::string(model::first_octets((*texts)[i], 64)));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

Filter check(const ListQuery& query) {
  http::Faults faults;
  // The default order: newest or largest first, names from A to Z.
  const auto usual = query.sort_by == SortBy::name ? http::Order::asc : http::Order::desc;
  Filter filter{http::read_page_filter(query, usual, faults), query.tag};
  if (filter.tag) faults.check_text("?tag", *filter.tag, 1, kMaxNameCharacters);
  if (filter.after && filter.sort_by == SortBy::numberOfContacts && !is_number(filter.after->text))
    faults.add("?cursor", "is not one that this list gave for this order");
  faults.throw_if_any();
  return filter;
}

std::string sorted_by(const model::List& list, SortBy sort_by) {
  if (sort_by == SortBy::name) return list.name;
  return sort_by == SortBy::numberOfContacts ? std::to_string(list.numberOfContacts) : "";
}

NewList check(CreateList body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, kMaxNameCharacters);
  NewList list{std::move(body.name), body.description.value_or(""), {}, {}};
  faults.check_text("/description", list.description, 0, kMaxDescriptionCharacters);
  list.tags = std::move(body.tags).value_or(std::vector<std::string>{});
  tags::check_names("/tags", list.tags, faults);
  list.contact_ids = read_ids("/contactIds", body.contactIds, faults);
  faults.throw_if_any();
  return list;
}

NewList check(contracts::contacts::MakeList body) {
  auto list = check(CreateList{std::move(body.name), std::move(body.description), std::move(body.tags), {}});
  list.id = body.id;
  return list;
}

std::vector<model::Uuid> check(contracts::contacts::AddContacts body) {
  http::Faults faults;
  auto& ids = body.contactIds;
  if (ids.size() > kMaxContacts) faults.add("/contactIds", "must be at most " + std::to_string(kMaxContacts));
  faults.throw_if_any();
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return std::move(ids);
}

UpdateList check(UpdateList body) {
  http::Faults faults;
  if (body.name) faults.check_text("/name", *body.name, 1, kMaxNameCharacters);
  if (body.description) faults.check_text("/description", *body.description, 0, kMaxDescriptionCharacters);
  if (body.tags) tags::check_names("/tags", *body.tags, faults);
  faults.throw_if_any();
  return body;
}

MemberChanges check(const UpdateMembers& body) {
  http::Faults faults;
  MemberChanges changes{read_ids("/add", body.add, faults), read_ids("/remove", body.remove, faults)};
  std::vector<model::Uuid> both;
  std::set_intersection(changes.add.begin(), changes.add.end(), changes.remove.begin(), changes.remove.end(),
                        std::back_inserter(both));
  if (!both.empty()) faults.add("/remove", "names a contact that is to be added as well: " + both.front().text());
  faults.throw_if_any();
  return changes;
}

}  // namespace parley::contacts::lists
