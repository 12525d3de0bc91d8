#pragma once
#include <boost/describe/class.hpp>

#include "common/http/query.hpp"
#include "conversations/campaigns/recipients/shapes.hpp"

namespace parley::conversations::figures {

// Recipients by state, as in the campaign's progress: each is in exactly one.
struct States {
  std::int64_t recipients = 0, skipped = 0, pending = 0;
  std::int64_t sent = 0, delivered = 0, read = 0, failed = 0, undelivered = 0, inDoubt = 0;
  std::int64_t replied = 0, clicked = 0;  // of these recipients
};
BOOST_DESCRIBE_STRUCT(States, (),
                      (recipients, skipped, pending, sent, delivered, read, failed, undelivered, inDoubt, replied,
                       clicked))

struct VariantFigures : States {
  std::int64_t variant = 0;         // 0: the campaign's own message
  std::optional<std::string> name;  // of the variant
};
BOOST_DESCRIBE_STRUCT(VariantFigures, (States), (variant, name))

struct ReasonFigures {
  recipients::State state = recipients::State::Skipped;  // or Failed, UnDelivered
  std::string reason;                                    // as GET recipients returns it
  std::string text;                                      // the same in words
  std::int64_t recipients = 0;
};
BOOST_DESCRIBE_STRUCT(ReasonFigures, (), (state, reason, text, recipients))

struct HourFigures {
  model::Timestamp hour;                                                        // its begin
  std::string label;                                                            // in the campaign's time zone
  std::int64_t sent = 0, delivered = 0, read = 0, failed = 0, undelivered = 0;  // messages that were made in it
  std::int64_t replies = 0, clicks = 0;                                         // that came in it
};
BOOST_DESCRIBE_STRUCT(HourFigures, (), (hour, label, sent, delivered, read, failed, undelivered, replies, clicks))

struct Figures {
  States total;
  std::vector<VariantFigures> byVariant;  // of an experiment: of its test part
  std::optional<States> remainder;        // of an experiment: who waits for the winner, or was sent it
  std::vector<ReasonFigures> byReason;
  std::vector<HourFigures> byHour;
};
BOOST_DESCRIBE_STRUCT(Figures, (), (total, byVariant, remainder, byReason, byHour))

struct FiguresResponse {
  Figures figures;
};
BOOST_DESCRIBE_STRUCT(FiguresResponse, (), (figures))

}  // namespace parley::conversations::figures
