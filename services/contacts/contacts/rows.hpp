#pragma once
#include <boost/describe/class.hpp>

#include "common/model/contact.hpp"
#include "common/pg/results.hpp"
#include "contacts/contacts/shapes.hpp"

namespace parley::contacts::contacts {

struct PageRow : model::ContactSummary {
  Ids list_ids;
  std::vector<std::int64_t> list_contacts;  // numberOfContacts of each list
  Ids tag_ids;
};
BOOST_DESCRIBE_STRUCT(PageRow, (model::ContactSummary), (list_ids, list_contacts, tag_ids))

struct FindRow : PageRow {
  std::string version;
  std::string catalogue;  // the version of it
};
BOOST_DESCRIBE_STRUCT(FindRow, (PageRow), (version, catalogue))

struct BelongingsRow {
  Ids list_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(BelongingsRow, (), (list_ids, tag_ids))

void add_to_version(std::string& version, const BelongingsRow& belongings);

struct TallyRow {
  std::int64_t contacts = 0;
  std::int64_t version = 0;
  std::string epoch;
  std::string catalogue;  // the version of it
};
BOOST_DESCRIBE_STRUCT(TallyRow, (), (contacts, version, epoch, catalogue))

struct CountRow {
  std::int64_t version = 0;
  std::string epoch;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (), (version, epoch, count))

struct ChosenRow {
  bool done = false;
  std::optional<std::int64_t> total;  // of all matching contacts, if the statement counted them
};
BOOST_DESCRIBE_STRUCT(ChosenRow, (), (done, total))

struct TakenRow {
  std::string phone;
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(TakenRow, (), (phone, id))

// Row limits of the statements that read lists (a row per list and tag). Usually 1,000 suffice. The `guarded` variant
// returns each list's texts once, and enough rows for a contact's 100 lists of 100 tags.
inline constexpr std::size_t kUsualListRows = 1'000;
inline constexpr std::size_t kMaxListRows = 10'000;
// Limits of a guarded page (see chosen_lists.sql). As JSON, a character may take six octets.
inline constexpr std::size_t kMaxPageLists = 300;
inline constexpr std::size_t kMaxListOctets = 12 << 20;
inline constexpr std::size_t kMaxListJson = 18 << 20;

// True if result `i`, of a statement that reads lists, was not cut off at one of these limits.
bool has_all_lists(const pg::Results& results, std::size_t i, bool guarded);

// The row's contact, without the lists and tags that do not exist.
PageContact to_contact(PageRow row, const Catalogue& catalogue);
// At most http::kMaxPageOctets, at least one contact.
std::vector<PageContact> to_contacts(std::vector<PageRow> rows, const Catalogue& catalogue);

}  // namespace parley::contacts::contacts
