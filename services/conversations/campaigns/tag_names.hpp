#pragma once
#include <map>
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "common/model/campaign.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// What the tags of campaigns are called now.
class TagNames {
 public:
  // Asks contacts. Who is out of reach is noted in the call: tags are then called what they were.
  static awaitable<TagNames> ask(chassis::Call& call, chassis::ServiceClient& contacts,
                                 std::span<const model::Campaign> campaigns);
  // Of the tags that were asked for, those that are no more are left out.
  void apply(model::Campaign& campaign) const;

 private:
  std::map<model::Uuid, std::optional<std::string>> labels_;
};

}  // namespace parley::conversations::campaigns
