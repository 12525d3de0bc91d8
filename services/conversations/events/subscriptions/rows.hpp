#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"
#include "common/model/timestamp.hpp"

namespace parley::conversations::subscriptions {

struct ListeningRow {
  model::Uuid organization_id, id;
  std::vector<std::string> events;
};
BOOST_DESCRIBE_STRUCT(ListeningRow, (), (organization_id, id, events))

struct DoubtedRow {
  model::Uuid organization_id, id;
  bool active = true;
  std::optional<model::Uuid> answerable_id;
  std::vector<std::string> events;
  model::Timestamp taken_until;
};
BOOST_DESCRIBE_STRUCT(DoubtedRow, (), (organization_id, id, active, answerable_id, events, taken_until))

struct DueRow {
  model::Uuid organization_id, webhook_id, id, notice_id;
  std::int64_t tries = 0;
  std::string type;
  std::optional<std::string> body;
  std::string url;
  bool active = true;
  std::string secret;
  std::optional<std::string> old_secret;
};
BOOST_DESCRIBE_STRUCT(DueRow, (),
                      (organization_id, webhook_id, id, notice_id, tries, type, body, url, active, secret, old_secret))

}  // namespace parley::conversations::subscriptions
