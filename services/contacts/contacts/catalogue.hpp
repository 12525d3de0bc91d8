#pragma once
// The texts of lists and tags. Contacts refer to few of them again and again: a process keeps what it read, under the
// version that PostgreSQL had then (see catalogue_version in the schema), and every statement that reads contacts
// returns the version of its own snapshot. So what is kept is never older than the contacts beside it, with any number
// of replicas. Only snapshots outside of changes are kept: within a change, the next one may have the same version.
#include <list>
#include <memory>
#include <span>
#include <unordered_map>

#include "common/model/list.hpp"
#include "common/pg/results.hpp"

namespace parley::contacts::contacts {

using Ids = std::vector<model::Uuid>;

// A row per list and tag; a list without tags has one row.
struct ListTagRow {
  model::Uuid uniqueId;
  std::string name;
  std::string description;
  std::int64_t numberOfCampaignsSent = 0;
  model::Timestamp createdAt;
  std::optional<model::Uuid> tag_id;
  std::optional<std::string> tag_label;
};
BOOST_DESCRIBE_STRUCT(ListTagRow, (),
                      (uniqueId, name, description, numberOfCampaignsSent, createdAt, tag_id, tag_label))

// A list's JSON before and after its numberOfContacts, which is not kept.
struct ListText {
  std::string head, tail;
};
using ListTextPtr = std::shared_ptr<const ListText>;
using TagTextPtr = std::shared_ptr<const std::string>;  // its JSON

// Texts of lists and tags, by id.
class Catalogue {
 public:
  Catalogue() = default;
  // From results `i`, ListTagRows sorted by list, and `i` + 1, tags.
  Catalogue(const pg::Results& results, std::size_t i);

  // Notes that those of these ids that it does not have do not exist: rows of contacts may name them for a while.
  void note_missing(const Ids& lists, const Ids& tags);
  void add(const Catalogue& other);

  bool knows(const Ids& lists, const Ids& tags) const;
  // nullptr if it does not exist.
  ListTextPtr list(const model::Uuid& id) const;
  TagTextPtr tag(const model::Uuid& id) const;

  std::size_t octets() const { return octets_; }  // of memory, about

 private:
  void add_list(const model::Uuid& id, ListTextPtr text);
  void add_tag(const model::Uuid& id, TagTextPtr text);

  std::unordered_map<model::Uuid, ListTextPtr> lists_;
  std::unordered_map<model::Uuid, TagTextPtr> tags_;
  std::size_t octets_ = 0;
};

// Catalogues by organization and version. Beyond `most_octets`, those go that were not used for longest. No version has
// more than a quarter of them: what it had is dropped, so that a large organization does not displace all others.
class CatalogueCache {
 public:
  explicit CatalogueCache(std::size_t most_octets) : most_octets_(most_octets) {}

  // nullptr if nothing of this version is kept.
  std::shared_ptr<const Catalogue> find(const model::Uuid& organization, const std::string& version);
  // Adds what was read of this version.
  void add(const model::Uuid& organization, const std::string& version, const Catalogue& read);

  std::size_t octets() const { return octets_; }

  struct Stats {
    std::uint64_t hits = 0, misses = 0;  // reads of contacts whose lists and tags all were kept, or not
  };
  Stats& stats() { return stats_; }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<Catalogue> catalogue;

    std::size_t octets() const;
  };
  using Entries = std::list<Entry>;
  Entries::iterator use(const std::string& key);
  void drop(Entries::iterator entry);

  const std::size_t most_octets_;
  Entries entries_;  // the last used first
  std::unordered_map<std::string_view, Entries::iterator> by_key_;
  std::size_t octets_ = 0;
  Stats stats_;
};

}  // namespace parley::contacts::contacts
