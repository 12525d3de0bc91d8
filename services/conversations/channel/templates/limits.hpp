#pragma once
#include "common/chassis/loops.hpp"
#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::templates {

// While campaigns run, keeps the messaging limits younger than an hour. May run in several processes.
class Limits {
 public:
  Limits(chassis::Process& process, Catalogue& catalogue, Store& store);

  void start() { loops_.start(process_, "messaging limits"); }
  // Waits for the request in flight.
  awaitable<void> stop() { return loops_.stop(); }

  // Requests the outdated limits. The last known limit stays if organizations or the channel is unreachable.
  awaitable<void> refresh();

 private:
  awaitable<bool> look();

  chassis::Process& process_;
  Catalogue& catalogue_;
  Store& store_;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::templates
