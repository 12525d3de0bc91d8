#include "conversations/campaigns/audience_lists/requests.hpp"

#include <algorithm>

#include "common/http/problem.hpp"

namespace parley::conversations::audience_lists {

namespace {

constexpr std::size_t kMaxNameCharacters = 255;  // also of a label
constexpr std::size_t kMaxDescriptionCharacters = 2'000;
constexpr std::size_t kMaxTags = 100;
constexpr std::size_t kMaxCodeDigits = 10;

bool is_reason(std::string_view text) {
  if (text == "unknown" || text == "NotSent") return true;
  return !text.empty() && text.size() <= kMaxCodeDigits && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

Criteria check(RetargetBody body) {
  http::Faults faults;
  Criteria out{std::move(body.name),
               body.description.value_or(""),
               body.tags.value_or(std::vector<std::string>{}),
               body.who,
               std::move(body.reason),
               std::move(body.url)};
  faults.check_text("/name", out.name, 1, kMaxNameCharacters);
  faults.check_text("/description", out.description, 0, kMaxDescriptionCharacters);
  if (out.tags.size() > kMaxTags) faults.add("/tags", "must be at most " + std::to_string(kMaxTags));
  for (std::size_t i = 0; i < std::min(out.tags.size(), kMaxTags); ++i)
    faults.check_text("/tags/" + std::to_string(i), out.tags[i], 1, kMaxNameCharacters);
  if (out.reason && out.who != Who::Failed && out.who != Who::UnDelivered)
    faults.add("/reason", "is only for who is Failed or UnDelivered");
  if (out.reason && !is_reason(*out.reason)) faults.add("/reason", "must be the code of an error, unknown or NotSent");
  if (out.url && out.who != Who::Clicked) faults.add("/url", "is only for who is Clicked");
  faults.throw_if_any();
  return out;
}

}  // namespace parley::conversations::audience_lists
