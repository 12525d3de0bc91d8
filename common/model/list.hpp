#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"

namespace parley::model {

struct Tag {
  std::string label;
  Uuid uniqueId;
};
BOOST_DESCRIBE_STRUCT(Tag, (), (label, uniqueId))

struct List {
  Uuid uniqueId;
  std::string name;
  std::string description;
  std::int64_t numberOfContacts = 0;
  std::int64_t numberOfCampaignsSent = 0;
  std::vector<Tag> tags;
  Timestamp createdAt;
};
BOOST_DESCRIBE_STRUCT(List, (), (uniqueId, name, description, numberOfContacts, numberOfCampaignsSent, tags, createdAt))

}  // namespace parley::model
