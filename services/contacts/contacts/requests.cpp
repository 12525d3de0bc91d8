#include "contacts/contacts/requests.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <unordered_map>
#include <unordered_set>

#include "common/model/keep.hpp"
#include "common/model/phone.hpp"
#include "common/model/text.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::contacts {

using http::Faults;

namespace {

constexpr std::size_t kMaxContacts = 1'000;
constexpr std::size_t kMaxTags = 1'000;  // distinct tags in a request
constexpr std::size_t kMaxLists{lists::kMaxListsOfContact};
constexpr std::size_t kMaxCharacters = 255;
constexpr std::size_t kMaxAttributeOctets = 16 * 1024;
constexpr std::size_t kMaxFiltered = 5;  // attributes

// ---- filters --------------------------------------------------------------------------------------------------------

std::string pointer_in_query(std::string_view name) {
  return "?attributes[" + std::string(model::first_octets(name, 64)) + "]";
}

void read_filter(const FilterQuery& query, Filter& filter, Faults& faults) {
  filter.list_id = query.list_id;
  filter.status = query.status;
  filter.tag = query.tag;
  filter.segment_id = query.segment_id;
  if (filter.tag) faults.check_text("?tag", *filter.tag, 1, kMaxCharacters);
  filter.attributes = query.attributes.values();
  std::sort(filter.attributes.begin(), filter.attributes.end());
  check_attributes(filter.attributes, pointer_in_query, faults);
  check_search("?search", filter.search, faults);
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

std::vector<model::Uuid> read_list_ids(const std::string& pointer, const std::vector<std::string>& texts,
                                       Faults& faults) {
  std::vector<model::Uuid> ids;
  if (texts.size() > kMaxLists) faults.add(pointer, "must be at most " + std::to_string(kMaxLists));
  for (std::size_t i = 0; i < std::min(texts.size(), kMaxLists); ++i) {
    ids.push_back(model::Uuid::parse(texts[i]).value_or(model::Uuid{}));
    if (!model::Uuid::parse(texts[i]))
      faults.add(pointer + "/" + std::to_string(i),
                 "there is no list " + std::string(model::first_octets(texts[i], 64)));
  }
  return ids;
}

std::string fault_of_phone(const std::string& typed, const std::string& country) {
  const auto wrong_length = model::wrong_length_of(typed, country);
  if (!wrong_length.empty()) return "is no telephone number: " + wrong_length;
  return country.empty() ? "must be an international number, such as +491701234567"
                         : "must be a number, such as +491701234567 or as dialled in " + country;
}

Changes check(ContactBody body, std::string pointer, const std::string& country, Faults& faults) {
  Changes changes;
  if (body.name) faults.check_text(pointer + "/name", *body.name, 1, kMaxCharacters);
  changes.name = std::move(body.name);
  if (body.phone) {
    changes.phone = model::to_e164(*body.phone, country);
    if (!changes.phone) {
      changes.phone_fault = fault_of_phone(*body.phone, country);
      changes.phone = std::move(body.phone);
    }
  }
  if (body.attributes) {
    if (!body.attributes->text.starts_with('{')) faults.add(pointer + "/attributes", "must be an object");
    if (body.attributes->text.size() > kMaxAttributeOctets)
      faults.add(pointer + "/attributes", "must be at most 16384 octets of JSON");
    else if (!model::is_kept_within(*body.attributes, 2 * kMaxAttributeOctets))
      faults.add(pointer + "/attributes", "must be at most 32768 octets of JSON when its numbers are written out");
  }
  changes.attributes = std::move(body.attributes);
  if (body.lists) changes.lists = read_list_ids(pointer + "/lists", *body.lists, faults);
  if (body.tags) tags::check_names(pointer + "/tags", *body.tags, faults);
  changes.tags = std::move(body.tags);
  changes.status = body.status;
  changes.pointer = std::move(pointer);
  return changes;
}

Changes check_new(ContactBody body, std::string pointer, const std::string& country, Faults& faults) {
  if (!body.name) faults.add(pointer + "/name", "is required");
  if (!body.phone) faults.add(pointer + "/phone", "is required");
  auto changes = check(std::move(body), std::move(pointer), country, faults);
  if (!changes.phone_fault.empty()) faults.add(changes.pointer + "/phone", changes.phone_fault);
  return changes;
}

void check_together(const std::vector<Changes>& contacts, Faults& faults) {
  std::unordered_set<std::string_view> names;
  for (const auto& contact : contacts) {
    if (contact.tags) names.insert(contact.tags->begin(), contact.tags->end());
    if (names.size() <= kMaxTags) continue;
    return faults.add(contact.pointer + "/tags", "goes beyond the 1000 different tags that a request may name");
  }
}

void require_different_numbers(const std::vector<Changes>& contacts) {
  http::Problem problem({.status = 409, .detail = "a phone number is given to two contacts"});
  std::unordered_map<std::string_view, const Changes*> seen;
  for (const auto& contact : contacts) {
    const auto [first, is_new] = seen.emplace(*contact.phone, &contact);
    if (!is_new)
      problem.errors.push_back({contact.pointer + "/phone", "is the number of " + first->second->pointer + " too"});
  }
  if (!problem.errors.empty()) throw problem;
}

}  // namespace

void check_attributes(const std::vector<std::pair<std::string, std::string>>& attributes,
                      const std::function<std::string(std::string_view name)>& pointer_of, Faults& faults) {
  for (const auto& [name, value] : attributes) {
    faults.check_text(pointer_of(name), name, 1, kMaxCharacters);
    faults.check_text(pointer_of(name), value, 0, kMaxCharacters);
  }
  if (attributes.size() > kMaxFiltered)
    faults.add(pointer_of(attributes.back().first),
               "is one too many: at most " + std::to_string(kMaxFiltered) + " attributes can be filtered by");
}

// In the column `search` a line feed separates the name from the number.
void check_search(std::string_view pointer, std::string_view search, Faults& faults) {
  if (std::any_of(search.begin(), search.end(), [](unsigned char c) { return c < ' '; }))
    faults.add(std::string(pointer), "must not hold control characters");
}

PageFilter read_page_filter(const ListQuery& query) {
  Faults faults;
  PageFilter filter;
  filter.paging = http::read_paging(query, faults);
  filter.search = http::read_search(query, faults);
  read_filter(query, filter, faults);
  filter.sort_by = query.sort_by.value_or(SortBy::createdAt);
  // The default order: newest first, names from A to Z.
  const auto usual = filter.sort_by == SortBy::name ? http::Order::asc : http::Order::desc;
  filter.descending = query.order.value_or(usual) == http::Order::desc;
  if (query.cursor) filter.after = http::read_cursor(filter.order_name(), *query.cursor, faults);
  faults.throw_if_any();
  return filter;
}

Filter read_export_filter(const ExportQuery& query) {
  Faults faults;
  Filter filter;
  filter.search = query.search.value_or("");
  faults.check_text("?search", filter.search, 0, 100);
  read_filter(query, filter, faults);
  faults.throw_if_any();
  return filter;
}

awaitable<NewContacts> read_new_contacts(chassis::Call& call, const std::string& country) {
  http::require_json(call.request);
  const auto text = co_await call.request.body();
  const auto json = http::parse_body(text);
  NewContacts out;
  const auto* batch = json.is_object() ? json.get_object().if_contains("contacts") : &json;
  const std::string at = batch && batch != &json ? "/contacts" : "";
  std::vector<ContactBody> bodies;
  model::Reader reader(model::Nulls::refused);
  if (batch) {
    out.are_several = true;
    const auto* array = batch->if_array();
    if (!array || array->empty() || array->size() > kMaxContacts)
      http::throw_faults({{at, at.empty() ? "must be an object, or an array of 1 to 1000" : "must be 1 to 1000"}});
    reader.read(*batch, bodies);
  } else {
    reader.read(json, bodies.emplace_back());
  }
  for (auto& fault : reader.faults) fault.pointer.insert(0, at);
  http::throw_faults(std::move(reader.faults));

  Faults faults;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    out.contacts.push_back(check_new(std::move(bodies[i]), batch ? at + "/" + std::to_string(i) : "", country, faults));
  check_together(out.contacts, faults);
  faults.throw_if_any();
  require_different_numbers(out.contacts);
  co_return out;
}

awaitable<Changes> read_changes(chassis::Call& call, const std::string& country) {
  auto body = co_await call.body<ContactBody>();
  Faults faults;
  auto changes = check(std::move(body), "", country, faults);
  const bool may_be_known = changes.phone && (changes.phone->empty() || model::is_international(*changes.phone));
  if (!changes.phone_fault.empty() && (!may_be_known || !faults.empty())) faults.add("/phone", changes.phone_fault);
  faults.throw_if_any();
  co_return changes;
}

}  // namespace parley::contacts::contacts
