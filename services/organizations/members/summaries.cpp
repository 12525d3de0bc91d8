#include "organizations/members/summaries.hpp"

namespace parley::organizations::members {

Summaries::Summaries(Store& store, model::Uuid organization, std::vector<model::Uuid> ids)
    : store_(store), organization_(organization), left_(std::move(ids)) {}

awaitable<void> Summaries::begin() { co_await take_step(); }

awaitable<void> Summaries::take_step() {
  const auto shown = co_await store_.summaries(organization_, left_);
  for (const auto& member : shown.records) gathered_.append(member.uniqueId, member);
  if (shown.cut)
    std::erase_if(left_, [&](const model::Uuid& id) { return id <= shown.records.back().uniqueId; });
  else
    left_.clear();
}

awaitable<std::string_view> Summaries::next() {
  if (gathered_.text.empty() && !left_.empty()) co_await take_step();
  given_ = std::exchange(gathered_.text, {});
  co_return given_;
}

}  // namespace parley::organizations::members
