#include "contacts/contacts/catalogue.hpp"

#include <algorithm>

#include "common/model/json.hpp"

namespace parley::contacts::contacts {

namespace {

// Beside texts: of a list or tag in its map, and of a catalogue with its maps.
constexpr std::size_t kNodeOctets = 192, kEntryOctets = 1024;

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
    add_list(list.uniqueId,
             std::make_shared<const ListText>(ListText{json.substr(0, number), json.substr(number + 1)}));
  }
  for (const auto& tag : results.rows<model::Tag>(i + 1))
    add_tag(tag.uniqueId, std::make_shared<const std::string>(model::to_json(tag)));
}

void Catalogue::add_list(const model::Uuid& id, ListTextPtr text) {
  const auto octets = kNodeOctets + (text ? text->head.size() + text->tail.size() : 0);
  if (lists_.emplace(id, std::move(text)).second) octets_ += octets;
}

void Catalogue::add_tag(const model::Uuid& id, TagTextPtr text) {
  const auto octets = kNodeOctets + (text ? text->size() : 0);
  if (tags_.emplace(id, std::move(text)).second) octets_ += octets;
}

void Catalogue::note_missing(const Ids& lists, const Ids& tags) {
  for (const auto& id : lists) add_list(id, nullptr);
  for (const auto& id : tags) add_tag(id, nullptr);
}

void Catalogue::add(const Catalogue& other) {
  for (const auto& [id, text] : other.lists_) add_list(id, text);
  for (const auto& [id, text] : other.tags_) add_tag(id, text);
}

bool Catalogue::knows(const Ids& lists, const Ids& tags) const {
  return std::ranges::all_of(lists, [&](const auto& id) { return lists_.contains(id); }) &&
         std::ranges::all_of(tags, [&](const auto& id) { return tags_.contains(id); });
}

ListTextPtr Catalogue::list(const model::Uuid& id) const {
  const auto found = lists_.find(id);
  return found == lists_.end() ? nullptr : found->second;
}

TagTextPtr Catalogue::tag(const model::Uuid& id) const {
  const auto found = tags_.find(id);
  return found == tags_.end() ? nullptr : found->second;
}

std::size_t CatalogueCache::Entry::octets() const { return kEntryOctets + key.size() + catalogue->octets(); }

CatalogueCache::Entries::iterator CatalogueCache::use(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return entries_.end();
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second;
}

void CatalogueCache::drop(Entries::iterator entry) {
  octets_ -= entry->octets();
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

std::shared_ptr<const Catalogue> CatalogueCache::find(const model::Uuid& organization, const std::string& version) {
  const auto kept = use(key_of(organization, version));
  return kept == entries_.end() ? nullptr : kept->catalogue;
}

void CatalogueCache::add(const model::Uuid& organization, const std::string& version, const Catalogue& read) {
  const auto most = most_octets_ / 4;
  auto key = key_of(organization, version);
  auto kept = use(key);
  if (kept != entries_.end() && kept->octets() + read.octets() > most) {
    drop(kept);
    kept = entries_.end();
  }
  if (kEntryOctets + key.size() + read.octets() > most) return;
  if (kept == entries_.end()) {
    kept = entries_.insert(entries_.begin(), {std::move(key), std::make_shared<Catalogue>()});
    by_key_.emplace(kept->key, kept);
    octets_ += kept->octets();
  }
  octets_ -= kept->octets();
  kept->catalogue->add(read);
  octets_ += kept->octets();
  while (octets_ > most_octets_) drop(std::prev(entries_.end()));
}

}  // namespace parley::contacts::contacts
