#pragma once
#include "common/chassis/feed_follower.hpp"
#include "gateway/callers.hpp"

namespace parley::gateway {

// Invalidates the callers that organizations' events name.
class Revocations {
 public:
  Revocations(chassis::Process& process, chassis::ServiceClient& organizations, Callers& callers,
              chassis::FollowTimes times);

  void start() { follower_.start(); }
  void stop() { follower_.stop(); }

  // All changes before this moment have been heard.
  http::Clock::time_point known_until() const { return follower_.known_until(); }

 private:
  chassis::FeedFollower follower_;
};

}  // namespace parley::gateway
