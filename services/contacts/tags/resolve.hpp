#pragma once
// Tags as other resources' bodies name them: each text is a tag's id, or else a label, whose tag is made if there is
// none.
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

// The names, each once; what is no label, or too many of them, is added to the faults: `/tags`, `/tags/2`.
inline constexpr std::size_t kMaxNames = 100;
std::vector<std::string> check_names(std::string_view pointer, const std::vector<std::string>& names,
                                     http::Faults& faults);

// The tag of each name. The tags stay locked against deletion until the transaction ends, so that rows which point to
// them may be inserted. To be called once a transaction, with all names at once, before rows of lists' and contacts'
// tags are touched: who makes tags and who deletes one then never wait for each other in a circle.
using Resolved = std::unordered_map<std::string, model::Uuid>;
// A Problem 403 when the new ones are beyond the quota.
awaitable<Resolved> resolve(pg::Transaction& transaction, model::Uuid organization, std::vector<std::string> names,
                            const chassis::Quotas& quotas);

// The tags that these names were resolved to: sorted, each once, as one may be named by its id and by its label.
std::vector<model::Uuid> ids_of(const Resolved& resolved, const std::vector<std::string>& names);

}  // namespace parley::contacts::tags
