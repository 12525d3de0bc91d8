#pragma once
#include <type_traits>

#include "common/pg/batch.hpp"
#include "common/pg/variants.hpp"
#include "contacts/contacts/search.hpp"
#include "contacts/contacts/shapes.hpp"
#include "contacts/segments/room.hpp"

namespace parley::contacts::contacts {

// The parts and parameters that all statements with filters have in common. The filter must outlive it.
class Matching {
 public:
  explicit Matching(const Filter& filter)
      : filter_(filter),
        numbers_(number_patterns(filter.search)),
        tails_(contacts::tails(filter.search, numbers_)),
        statuses_(filter.status ? std::vector{*filter.status}
                                : std::vector{model::ContactStatus::Active, model::ContactStatus::Inactive,
                                              model::ContactStatus::Blocked, model::ContactStatus::OptedOut}) {
    if (!filter.attributes.empty()) attributes_ = attribute_documents(filter.attributes);
  }

  // Precedes the statements that are made of the filter.
  void limit_time(pg::Batch& batch) const {
    if (filter_.segment) batch.limit_time(segments::kLongestMade);
  }

  // Adds a statement that has marks for a segment. `parts` and `arguments` are those that it has beside the common
  // ones.
  template <class Parts, class... Arguments>
  void add(pg::Batch& batch, const pg::Variants<Parts>& statements, std::type_identity_t<Parts> parts,
           const model::Uuid& organization, const Arguments&... arguments) const {
    const auto& statement = statements[with_common(parts)];
    const auto& narrowed = filter_.segment ? batch.keep(filter_.segment->in(statement)) : statement;
    add_common(batch, narrowed, organization, arguments...,
               filter_.segment ? filter_.segment->values() : std::vector<std::string>{});
  }

  // The same of a statement without marks.
  template <class Parts, class... Arguments>
  void add_unmarked(pg::Batch& batch, const pg::Variants<Parts>& statements, std::type_identity_t<Parts> parts,
                    const model::Uuid& organization, const Arguments&... arguments) const {
    add_common(batch, statements[with_common(parts)], organization, arguments...);
  }

 private:
  template <class... Arguments>
  void add_common(pg::Batch& batch, const pg::Statement& statement, const model::Uuid& organization,
                  const Arguments&... arguments) const {
    batch.add(statement, organization, filter_.list_id, filter_.tag_id, filter_.search, numbers_, statuses_,
              attributes_, tails_, arguments...);
  }

  template <class Parts>
  Parts with_common(Parts parts) const {
    parts.by_list = filter_.list_id.has_value();
    parts.by_tag = filter_.tag.has_value();
    if constexpr (requires { parts.by_search; }) parts.by_search = !filter_.search.empty();
    if constexpr (requires { parts.by_attributes; }) parts.by_attributes = !filter_.attributes.empty();
    if constexpr (requires { parts.by_letters; })
      parts.by_letters = !filter_.search.empty() && numbers_.empty() && is_short(filter_.search);
    return parts;
  }

  const Filter& filter_;
  const std::vector<std::string> numbers_, tails_;
  const std::vector<model::ContactStatus> statuses_;
  std::vector<std::string> attributes_;
};

}  // namespace parley::contacts::contacts
