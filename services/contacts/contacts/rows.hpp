#pragma once
#include <boost/describe/class.hpp>

#include "common/model/contact.hpp"
#include "common/pg/results.hpp"
#include "contacts/contacts/shapes.hpp"

namespace parley::contacts::contacts {

struct PageRow : model::ContactSummary {
  std::vector<model::Uuid> list_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(PageRow, (model::ContactSummary), (list_ids, tag_ids))

// What belongs to a contact's version besides its row.
struct BelongingsRow {
  std::vector<model::Uuid> list_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(BelongingsRow, (), (list_ids, tag_ids))

void add_to_version(std::string& version, const BelongingsRow& belongings);

struct TallyRow {
  std::int64_t contacts = 0;
  std::int64_t version = 0;
  std::string epoch;
};
BOOST_DESCRIBE_STRUCT(TallyRow, (), (contacts, version, epoch))

struct CountRow {
  std::int64_t version = 0;
  std::string epoch;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (), (version, epoch, count))

struct ChosenRow {
  bool done = false;
  std::optional<std::int64_t> total;  // of all that match, if it came to be known
};
BOOST_DESCRIBE_STRUCT(ChosenRow, (), (done, total))

struct TakenRow {
  std::string phone;
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(TakenRow, (), (phone, id))

// What lists' statements give at most, in rows of a list and a tag: mostly enough; and `guarded`, which gives each
// list's texts once. That is what a contact's 100 lists of 100 tags need, of the longest texts, too.
inline constexpr std::size_t kUsualListRows = 1'000;
inline constexpr std::size_t kMaxListRows = 10'000;
// Of a page, when guarded: lists, octets of their texts (see bounded_close.fragment), and of these as JSON, where some
// take six times that.
inline constexpr std::size_t kMaxPageLists = 300;
inline constexpr std::size_t kMaxListOctets = 12 << 20;
inline constexpr std::size_t kMaxListJson = 18 << 20;

// How long a text is as JSON.
std::size_t json_octets(std::string_view text);

// Whether such a statement has not stopped at one of these bounds.
bool has_all_lists(const pg::Results& results, std::size_t i, bool guarded);

// Puts the lists and tags of a page to its contacts, from three results: PageRows, lists::ListTagRows and tags. Those
// contacts that come to http::kMaxPageOctets, one at least.
std::vector<PageContact> assemble(const pg::Results& results, std::size_t first);

}  // namespace parley::contacts::contacts
