#include "contacts/contacts/catalogue.hpp"

#include "common/model/json.hpp"

namespace parley::contacts::contacts {

namespace {

constexpr std::size_t kNodeOctets = 128;  // of an entry of a map, with its strings' heads

std::vector<model::List> to_lists(std::vector<ListTagRow> rows) {
  std::vector<model::List> lists;
  for (auto& row : rows) {
    if (lists.empty() || lists.back().uniqueId != row.uniqueId)
      lists.push_back({row.uniqueId,
                       std::move(row.name),
                       std::move(row.description),
                       0,
                       row.numberOfCampaignsSent,
                       {},
                       row.createdAt});
    if (row.tag_id) lists.back().tags.push_back({std::move(*row.tag_label), *row.tag_id});
  }
  return lists;
}

std::string key_of(const model::Uuid& organization, const std::string& version) {
  auto key = organization.text();
  key += ' ';
  key += version;
  return key;
}

}  // namespace

Catalogue::Catalogue(const pg::Results& results, std::size_t i) {
  constexpr std::string_view kNumber = "\"numberOfContacts\":";
  for (const auto& list : to_lists(results.rows<ListTagRow>(i))) {
    const auto json = model::to_json(list);
    const auto number = json.find(kNumber) + kNumber.size();  // in no text of the list: its quotes are escaped there
    add_list(list.uniqueId, {json.substr(0, number), json.substr(number + 1)});
  }
  for (const auto& tag : results.rows<model::Tag>(i + 1)) add_tag(tag.uniqueId, model::to_json(tag));
}

void Catalogue::add_list(const model::Uuid& id, ListText text) {
  const auto octets = kNodeOctets + text.head.size() + text.tail.size();
  if (lists_.emplace(id, std::move(text)).second) octets_ += octets;
}

void Catalogue::add_tag(const model::Uuid& id, std::string text) {
  const auto octets = kNodeOctets + text.size();
  if (tags_.emplace(id, std::move(text)).second) octets_ += octets;
}

void Catalogue::note_missing(const Ids& lists, const Ids& tags) {
  for (const auto& id : lists) add_list(id, {});
  for (const auto& id : tags) add_tag(id, {});
}

void Catalogue::add(const Catalogue& other) {
  for (const auto& [id, text] : other.lists_) add_list(id, text);
  for (const auto& [id, text] : other.tags_) add_tag(id, text);
}

const ListText* Catalogue::list(const model::Uuid& id) const {
  const auto found = lists_.find(id);
  return found == lists_.end() ? nullptr : &found->second;
}

const std::string* Catalogue::tag(const model::Uuid& id) const {
  const auto found = tags_.find(id);
  return found == tags_.end() ? nullptr : &found->second;
}

std::shared_ptr<Catalogue> CatalogueCache::use(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->catalogue;
}

std::shared_ptr<const Catalogue> CatalogueCache::find(const model::Uuid& organization, const std::string& version) {
  static const auto kNothing = std::make_shared<const Catalogue>();
  const auto kept = use(key_of(organization, version));
  return kept ? kept : kNothing;
}

std::shared_ptr<const Catalogue> CatalogueCache::add(const model::Uuid& organization, const std::string& version,
                                                     const Catalogue& read) {
  auto key = key_of(organization, version);
  auto kept = use(key);
  if (!kept) {
    kept = std::make_shared<Catalogue>();
    entries_.push_front({std::move(key), kept});
    by_key_.emplace(entries_.front().key, entries_.begin());
  }
  octets_ -= kept->octets();
  kept->add(read);
  octets_ += kept->octets();
  while (octets_ > most_octets_) {  // even this one: whoever uses it keeps it
    octets_ -= entries_.back().catalogue->octets();
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
  return kept;
}

}  // namespace parley::contacts::contacts
