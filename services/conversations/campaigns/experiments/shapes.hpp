#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/timestamp.hpp"

namespace parley::conversations::experiments {

// What the winner has most of, among those of its messages that the channel accepted.
enum class Rule { Replied, Clicked, Read, Delivered };
BOOST_DESCRIBE_ENUM(Rule, Replied, Clicked, Read, Delivered)

// As it is stored. Neither decideAfterSeconds nor decideAt: a member picks the winner.
struct Plan {
  std::int64_t share = 0;  // percent of the recipients: the test part
  Rule rule = Rule::Replied;
  std::int64_t minimum = 1;                          // of recipients who did that; else the campaign's own message wins
  std::optional<std::int64_t> decideAfterSeconds{};  // from the end of the test part
  std::optional<model::Timestamp> decideAt{};        // not before the end of the test part
};
BOOST_DESCRIBE_STRUCT(Plan, (), (share, rule, minimum, decideAfterSeconds, decideAt))

// The body of POST /api/campaigns/{id}/experiment.
struct PlanBody {
  std::int64_t share = 0;
  Rule rule = Rule::Replied;
  std::optional<std::int64_t> minimum;
  model::Nullable<std::int64_t> decideAfterSeconds;
  model::Nullable<std::string> decideAt;
};
BOOST_DESCRIBE_STRUCT(PlanBody, (), (share, rule, minimum, decideAfterSeconds, decideAt))

// The body of POST /api/campaigns/{id}/experiment/winner.
struct PickBody {
  std::int64_t variant = 0;
};
BOOST_DESCRIBE_STRUCT(PickBody, (), (variant))

// Planned: the campaign has not begun. Testing: the test part is sent. Waiting: it was sent. Decided: the rest is, or
// was.
enum class State { Planned, Testing, Waiting, Decided };
BOOST_DESCRIBE_ENUM(State, Planned, Testing, Waiting, Decided)

enum class DecidedBy { Rule, Member };
BOOST_DESCRIBE_ENUM(DecidedBy, Rule, Member)

struct Experiment : Plan {
  State state = State::Planned;
  std::optional<model::Timestamp> testedAt, dueAt, decidedAt;
  std::optional<std::int64_t> winner;  // 0: the campaign's own message
  std::optional<DecidedBy> decidedBy;
};
BOOST_DESCRIBE_STRUCT(Experiment, (Plan), (state, testedAt, dueAt, decidedAt, winner, decidedBy))

struct ExperimentResponse {
  Experiment experiment;
};
BOOST_DESCRIBE_STRUCT(ExperimentResponse, (), (experiment))

}  // namespace parley::conversations::experiments
