#pragma once
#include <string>

#include "common/model/timestamp.hpp"

namespace parley::conversations::templates {

// What a webhook told of a template; "" for what it did not.
struct Report {
  std::string business_account_id, template_id;
  model::Timestamp at;         // by the channel's clock
  std::string status, reason;  // the status: the webhook's `event`
  std::string quality, category;
};

}  // namespace parley::conversations::templates
