#include "contacts/lists/checks.hpp"

#include <algorithm>
#include <charconv>

#include "contacts/tags/resolve.hpp"

namespace parley::contacts::lists {

namespace {

constexpr std::size_t kMostContacts = 10'000;
constexpr std::size_t kMostNameCharacters = 255;
constexpr std::size_t kMostDescriptionCharacters = 2'000;

// "name asc": what a cursor is good for.
std::string order_name(const Filter& filter) {
  return std::string(model::name_of(filter.sort_by)) + (filter.descending ? " desc" : " asc");
}

bool is_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// Sorted, each once. What is not even an id cannot be one of a contact.
std::vector<model::Uuid> read_ids(const std::string& pointer, const std::optional<std::vector<std::string>>& texts,
                                  http::Faults& faults) {
  std::vector<model::Uuid> ids;
  if (!texts) return ids;
  if (texts->size() > kMostContacts) faults.add(pointer, "must be at most " + std::to_string(kMostContacts));
  for (std::size_t i = 0; i < std::min(texts->size(), kMostContacts); ++i) {
    if (const auto id = model::Uuid::parse((*texts)[i]))
      ids.push_back(*id);
    else
      faults.add(pointer + "/" + std::to_string(i), "there is no contact " + (*texts)[i].substr(0, 64));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

Filter check(const ListQuery& query) {
  http::Faults faults;
  Filter filter;
  filter.paging = http::read_paging(query, faults);
  filter.search = http::read_search(query, faults);
  filter.sort_by = query.sort_by.value_or(SortBy::createdAt);
  // Without a word about the order: the newest and the largest first, names from A to Z.
  const auto usual = filter.sort_by == SortBy::name ? http::Order::asc : http::Order::desc;
  filter.descending = query.order.value_or(usual) == http::Order::desc;
  filter.tag = query.tag;
  if (filter.tag) faults.check_text("?tag", *filter.tag, 1, kMostNameCharacters);
  if (query.cursor) filter.after = http::read_cursor(order_name(filter), *query.cursor, faults);
  if (filter.after && filter.sort_by == SortBy::numberOfContacts && !is_number(filter.after->text))
    faults.add("?cursor", "is not one that this list gave for this order");
  faults.throw_if_any();
  return filter;
}

std::string cursor_after(const model::List& last, const Filter& filter) {
  http::Cursor cursor{last.uniqueId, {}};
  if (filter.sort_by == SortBy::name) cursor.text = last.name;
  if (filter.sort_by == SortBy::numberOfContacts) cursor.text = std::to_string(last.numberOfContacts);
  return http::write_cursor(order_name(filter), cursor);
}

NewList check(CreateList body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, kMostNameCharacters);
  NewList list{std::move(body.name), body.description.value_or(""), {}, {}};
  faults.check_text("/description", list.description, 0, kMostDescriptionCharacters);
  if (body.tags) list.tags = tags::check_names("/tags", *body.tags, faults);
  list.contact_ids = read_ids("/contactIds", body.contactIds, faults);
  faults.throw_if_any();
  return list;
}

UpdateList check(UpdateList body) {
  http::Faults faults;
  if (body.name) faults.check_text("/name", *body.name, 1, kMostNameCharacters);
  if (body.description) faults.check_text("/description", *body.description, 0, kMostDescriptionCharacters);
  if (body.tags) body.tags = tags::check_names("/tags", *body.tags, faults);
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
