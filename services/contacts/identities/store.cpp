#include "contacts/identities/store.hpp"

#include <algorithm>

#include "contacts/identities/sql.hpp"

namespace parley::contacts::identities {
namespace {

// More members are read on the slow lane, to not delay other reads.
constexpr std::int64_t kFewMembers = 1'000;

}  // namespace

awaitable<std::vector<AddressRow>> Store::addresses(model::Uuid organization, std::vector<model::Uuid> ids) {
  const auto results = co_await database_.read(pg::Batch(sql::addresses, organization, ids));
  co_return results.rows<AddressRow>();
}

awaitable<std::vector<model::Uuid>> Store::members(model::Uuid organization, model::Uuid list, model::Uuid after,
                                                   std::int64_t most) {
  std::vector<model::Uuid> out;
  const auto few = std::min(most, kFewMembers);
  if (after.is_nil())  // most lists have no more members
    out = (co_await database_.read(pg::Batch(sql::members, organization, list, after, few))).rows<model::Uuid>();
  const auto rest = most - std::ssize(out);
  if (after.is_nil() && (std::ssize(out) < few || rest == 0)) co_return out;
  const auto& behind = out.empty() ? after : out.back();
  const auto results = co_await database_.slow(pg::Batch(sql::members, organization, list, behind, rest));
  const auto others = results.rows<model::Uuid>();
  out.insert(out.end(), others.begin(), others.end());
  co_return out;
}

}  // namespace parley::contacts::identities
