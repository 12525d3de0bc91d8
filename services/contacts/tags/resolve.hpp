#pragma once
// Resolves the tags in other resources' bodies: each text is a tag's id or a label; missing labels are created.
#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/http/problem.hpp"
#include "common/pg/pool.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::tags {

using boost::asio::awaitable;

// Adds faults such as `/tags` and `/tags/2` for too many names or invalid labels.
inline constexpr std::size_t kMaxNames = 100;
void check_names(std::string_view pointer, const std::vector<std::string>& names, http::Faults& faults);

// Adds a fault for what cannot be a new label. One that looks like an id would be taken for the id of a deleted tag.
void check_label(std::string_view pointer, std::string_view label, http::Faults& faults);

// Locks the tags against deletion, so that rows may reference them. Call it once per transaction with all names, before
// list_tag and contact_tag are touched, to avoid deadlocks. Throws a Problem 403 if new tags exceed the quota. Leaves
// out ids of no tag.
using Resolved = std::unordered_map<std::string, model::Uuid>;
awaitable<Resolved> resolve(pg::Transaction& transaction, model::Uuid organization, std::vector<std::string> names,
                            const chassis::Quotas& quotas);

// The resolved tags, sorted, without duplicates: a tag may be named by both id and label. `pointer` is the place of the
// names in the body. Throws a Problem 400 that names the ids of no tag.
std::vector<model::Uuid> ids_of(const Resolved& resolved, const std::vector<std::string>& names,
                                const std::string& pointer);

}  // namespace parley::contacts::tags
