#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"

namespace parley::conversations::audience_lists {

enum class Who { NotDelivered, DeliveredNotRead, ReadNotReplied, Clicked, Failed, UnDelivered };
BOOST_DESCRIBE_ENUM(Who, NotDelivered, DeliveredNotRead, ReadNotReplied, Clicked, Failed, UnDelivered)

// The body of POST /api/campaigns/{id}/retarget.
struct RetargetBody {
  std::string name;  // of the list; so are the next two
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> tags;
  Who who = Who::NotDelivered;
  model::Nullable<std::string> reason;  // of Failed or UnDelivered ones, as GET recipients returns it
  model::Nullable<std::string> url;     // that they Clicked
};
BOOST_DESCRIBE_STRUCT(RetargetBody, (), (name, description, tags, who, reason, url))

// The checked body, as it is stored.
struct Criteria {
  std::string name, description;
  std::vector<std::string> tags;
  Who who = Who::NotDelivered;
  std::optional<std::string> reason, url;
};
BOOST_DESCRIBE_STRUCT(Criteria, (), (name, description, tags, who, reason, url))

struct Retarget {
  model::Uuid uniqueId, campaignId, listId;
  std::string name;
  Who who = Who::NotDelivered;
  std::optional<std::string> reason, url;
  std::int64_t contacts = 0;  // in the list so far
  model::Timestamp createdAt;
  std::optional<model::Timestamp> finishedAt;
  std::string failure;  // why it ended early
};
BOOST_DESCRIBE_STRUCT(Retarget, (),
                      (uniqueId, campaignId, listId, name, who, reason, url, contacts, createdAt, finishedAt, failure))

struct RetargetResponse {
  Retarget retarget;
};
BOOST_DESCRIBE_STRUCT(RetargetResponse, (), (retarget))

struct Job {
  model::Uuid organization_id, id, campaign_id, list_id;
  Criteria criteria;
  std::int64_t ordinal = 0;
};

}  // namespace parley::conversations::audience_lists
