#include "contacts/bulk/checks.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

#include "common/model/keep.hpp"
#include "contacts/contacts/requests.hpp"
#include "contacts/imports/rows.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/segments/checks.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::bulk {

using identity::Permission;

namespace {

constexpr std::size_t kMaxCharacters = 255;
constexpr std::size_t kMaxSearch = 100;
constexpr auto kFilter = "/contacts/filter";

std::string pointer_of(std::string_view attribute) {
  return "/contacts/attributes/" + segments::pointer_step(attribute);
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

// Adds a fault for each value that is no text.
Attributes read_attributes(const model::RawJson& json, http::Faults& faults) {
  Attributes out;
  model::Fault fault;
  const auto value = model::parse(json.text, fault);  // as it was read, it is JSON
  const auto* object = value->if_object();
  if (!object) {
    faults.add("/contacts/attributes", "must be an object");
    return out;
  }
  for (const auto& member : *object) {
    const auto* text = member.value().if_string();
    if (!text)
      faults.add(pointer_of(member.key()), "must be a string");
    else
      out.emplace_back(std::string(member.key()), std::string(*text));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void check(const Selection& selection, segments::AllNamed& named, http::Faults& faults) {
  if (selection.listId) named.lists.push_back({"/contacts/listId", *selection.listId});
  if (selection.tag) faults.check_text("/contacts/tag", *selection.tag, 1, kMaxCharacters);
  if (selection.search) {
    faults.check_text("/contacts/search", *selection.search, 0, kMaxSearch);
    contacts::check_search("/contacts/search", *selection.search, faults);
  }
  if (selection.attributes)
    contacts::check_attributes(read_attributes(*selection.attributes, faults), pointer_of, faults);
  if (selection.segmentId && selection.filter) faults.add(kFilter, "cannot stand beside segmentId");
  if (!selection.filter) return;
  http::Faults of_filter;
  const auto filter = segments::check_filter(*selection.filter, kFilter, of_filter);
  if (of_filter.empty()) {
    auto all = segments::named_in(filter, kFilter);
    named.tags = std::move(all.tags);
    std::move(all.lists.begin(), all.lists.end(), std::back_inserter(named.lists));
  }
  faults.add_below("", std::move(of_filter));
}

// What an action needs must be there; what it does not is passed over.
void check(const ActionBody& action, segments::AllNamed& named, http::Faults& faults) {
  const auto require = [&](const char* name, bool is_given) {
    if (!is_given) faults.add(std::string("/action/") + name, "is required");
    return is_given;
  };
  switch (action.type) {
    case ActionType::addTags:
    case ActionType::removeTags:
      if (!require("tags", action.tags.has_value())) break;
      if (action.tags->empty()) faults.add("/action/tags", "must be at least one");
      tags::check_names("/action/tags", *action.tags, faults);
      break;
    case ActionType::addToLists:
    case ActionType::removeFromLists:
      if (!require("listIds", action.listIds.has_value())) break;
      if (action.listIds->empty() || std::ssize(*action.listIds) > lists::kMaxListsOfContact)
        faults.add("/action/listIds", "must be 1 to " + std::to_string(lists::kMaxListsOfContact));
      for (std::size_t i = 0; i < action.listIds->size(); ++i)
        named.lists.push_back({"/action/listIds/" + std::to_string(i), (*action.listIds)[i]});
      break;
    case ActionType::setStatus:
      require("status", action.status.has_value());
      break;
    case ActionType::setAttribute:
      if (require("value", action.value.has_value()) && !model::is_kept_within(*action.value, imports::kMaxAttributes))
        faults.add("/action/value", "must be at most 16384 octets of JSON");
      [[fallthrough]];
    case ActionType::removeAttribute:
      if (require("attribute", action.attribute.has_value()))
        faults.check_text("/action/attribute", *action.attribute, 1, kMaxCharacters);
      break;
    case ActionType::deleteContacts:
      break;
  }
}

}  // namespace

Filter check(const ListQuery& query) { return {http::read_creation_filter(query), query.status}; }

segments::AllNamed check(const StartBody& body) {
  http::Faults faults;
  segments::AllNamed named;
  check(body.contacts, named, faults);
  if (body.expected < 1) faults.add("/expected", "must be at least 1");
  check(body.action, named, faults);
  faults.throw_if_any();
  return named;
}

Permission permission_for(ActionType type) {
  switch (type) {
    case ActionType::addToLists:
    case ActionType::removeFromLists:
      return Permission::update_list;
    case ActionType::deleteContacts:
      return Permission::delete_contact;
    default:
      return Permission::update_contact;
  }
}

contacts::Filter filter_of(const Selection& selection) {
  http::Faults none;
  contacts::Filter filter;
  filter.search = selection.search.value_or("");
  filter.list_id = selection.listId;
  filter.tag = selection.tag;
  filter.status = selection.status;
  if (selection.attributes) filter.attributes = read_attributes(*selection.attributes, none);
  return filter;
}

}  // namespace parley::contacts::bulk
