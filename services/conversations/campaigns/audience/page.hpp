#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/contracts/contacts.hpp"
#include "conversations/campaigns/rendering/composition.hpp"

namespace parley::conversations::audience {

// Contacts' answer about an audience (contracts::contacts::audience), read line by line into the columns of targets.
class Page {
 public:
  // What comes behind a contact.
  explicit Page(const model::Uuid& after) : reached_(after) {}

  // False: this line was the last one. Throws when it is no such line, or not in order: then nobody would know who has
  // come and who has not.
  bool add(std::string_view line, const rendering::Composition& composition);

  bool is_last() const { return is_last_; }
  // The contact up to which all have come.
  const model::Uuid& reached() const { return reached_; }
  std::int64_t size() const { return std::ssize(contact_ids); }
  std::int64_t skips() const;

  std::vector<model::Uuid> contact_ids, message_ids;
  std::vector<std::string> recipients, parameters;
  std::vector<std::int64_t> variants;
  std::vector<std::optional<std::string>> skipped;  // why

 private:
  model::Uuid reached_;
  bool is_last_ = false;
};

}  // namespace parley::conversations::audience
