#pragma once
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"
#include "conversations/events/presence/relay.hpp"

namespace parley::conversations::presence {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, redis::Client& redis, stream::Hub& hub);

  void start();
  void stop() { relay_.stop(); }

 private:
  awaitable<http::Response> tell(chassis::Call& call, chassis::Change& change);

  chassis::Process& process_;
  pg::Pool& database_;
  Relay relay_;
};

}  // namespace parley::conversations::presence
