#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>

#include "common/model/timestamp.hpp"
#include "conversations/channel/templates/shapes.hpp"

namespace parley::conversations::templates {

struct NumberRow {
  std::string id, display_phone_number, verified_name, quality_rating, throughput;
  std::optional<std::string> messaging_limit;
  bool registered = false, stopped = false;
  std::optional<model::Timestamp> stopped_until;
  std::optional<std::int64_t> stop_code;
  std::optional<std::string> stop_text;
};
BOOST_DESCRIBE_STRUCT(NumberRow, (),
                      (id, display_phone_number, verified_name, quality_rating, throughput, messaging_limit, registered,
                       stopped, stopped_until, stop_code, stop_text))

// What a webhook told of a template of one organization.
struct LearnedRow : Template {
  model::Uuid organization_id;
  bool changed = false;
};
BOOST_DESCRIBE_STRUCT(LearnedRow, (Template), (organization_id, changed))

}  // namespace parley::conversations::templates
