#pragma once
#include <map>
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "common/model/campaign.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

class TagNames {
 public:
  // Requests the labels from contacts; if unavailable, marks the call degraded, and tags keep their stored labels.
  static awaitable<TagNames> ask(chassis::Call& call, chassis::ServiceClient& contacts,
                                 std::span<const model::Campaign> campaigns);
  // Drops the tags that no longer exist.
  void apply(model::Campaign& campaign) const;

 private:
  std::map<model::Uuid, std::optional<std::string>> labels_;
};

}  // namespace parley::conversations::campaigns
