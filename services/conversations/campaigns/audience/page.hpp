#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conversations/campaigns/audience/draws.hpp"
#include "conversations/campaigns/rendering/composition.hpp"

namespace parley::conversations::audience {

// Where a message to a contact goes; "": nowhere.
std::string recipient_of(const contracts::contacts::Recipient& contact);
// Why a contact gets no message, as GET recipients says; nullopt: it gets one. Without a variant: none of them may miss
// a value, as in an experiment, where nobody knows yet who gets which.
std::optional<std::string> why_skipped(const contracts::contacts::Recipient& contact,
                                       std::optional<std::size_t> variant, const rendering::Composition& composition);

// An audience response of contacts (contracts::contacts::audience), parsed line by line into columns.
class Page {
 public:
  // `after`: the page has only contacts behind this one.
  Page(const model::Uuid& after, const Draws& draws, bool has_experiment = false)
      : draws_(draws), has_experiment_(has_experiment), reached_(after) {}

  // False: this line was the last one. Throws on a malformed or misplaced line, since the position would be unknown.
  bool add(std::string_view line, const rendering::Composition& composition);

  bool is_last() const { return is_last_; }
  // The page is complete up to this contact.
  const model::Uuid& reached() const { return reached_; }
  std::int64_t size() const { return std::ssize(contact_ids); }
  std::int64_t skips() const;

  std::vector<model::Uuid> contact_ids, message_ids;
  std::vector<std::string> recipients, parameters;
  std::vector<std::int64_t> variants;
  std::vector<std::optional<std::string>> skipped;  // the reason, if skipped

 private:
  const Draws draws_;
  const bool has_experiment_;
  model::Uuid reached_;
  bool is_last_ = false;
};

}  // namespace parley::conversations::audience
