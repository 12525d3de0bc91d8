#pragma once
// Events of conversations about message templates.
#include <boost/describe/class.hpp>
#include <string>
#include <vector>

#include "common/model/timestamp.hpp"
#include "common/model/uuid.hpp"

namespace parley::events {

// A template of the organization's account was made, changed or deleted, or the channel told something new of it.
struct TemplateChanged {
  static constexpr std::string_view type = "template.changed";
  model::Uuid organizationId;
  std::string templateId;  // the channel's
  std::string name, language, category;
  std::string status, statusReason;  // DELETED: it is gone
  std::string quality;
  std::vector<model::Uuid> campaignIds;  // that would send it, unless it is APPROVED; at most 100
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(TemplateChanged, (),
                      (organizationId, templateId, name, language, category, status, statusReason, quality, campaignIds,
                       at))

}  // namespace parley::events
