#pragma once
#include "conversations/campaigns/audience/page.hpp"

namespace parley::conversations::audience {

// Recipients by the reason why they are skipped, called as in GET recipients.
struct SkipReasons {
  std::int64_t OptedOut = 0, Blocked = 0, Inactive = 0, Invalid = 0, MissingValue = 0;
};
BOOST_DESCRIBE_STRUCT(SkipReasons, (), (OptedOut, Blocked, Inactive, Invalid, MissingValue))

struct Skips {
  std::int64_t total = 0;
  SkipReasons byReason;
};
BOOST_DESCRIBE_STRUCT(Skips, (), (total, byReason))

// What a start would make: recipients and skipped as in the campaign's progress.
struct Count {
  std::int64_t recipients = 0, messages = 0;
  Skips skipped;
};
BOOST_DESCRIBE_STRUCT(Count, (), (recipients, messages, skipped))

contracts::contacts::AudienceCountQuestion question_of(const model::Uuid& organization, const model::Campaign& campaign,
                                                       const rendering::Composition& composition,
                                                       bool has_experiment = false);

// Judges each group by why_skipped() of one contact that stands for it. Throws std::runtime_error if the answer does
// not fit the question.
Count count_of(const contracts::contacts::AudienceCount& answer, const rendering::Composition& composition,
               bool has_experiment = false);

}  // namespace parley::conversations::audience
