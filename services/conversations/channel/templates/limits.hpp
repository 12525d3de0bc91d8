#pragma once
#include "common/chassis/loops.hpp"
#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::templates {

// Campaigns keep to what the channel says of their account: to how many people it may write first in 24 hours. Brings
// that up to date where it is older than an hour, for as long as they run. Any number of processes may.
class Limits {
 public:
  Limits(chassis::Process& process, Catalogue& catalogue, Store& store);

  void start() { loops_.start(process_, "messaging limits"); }
  // Waits for the question under way.
  awaitable<void> stop() { return loops_.stop(); }

  // Asks for those that are old; of what is away the last word stays.
  awaitable<void> refresh();

 private:
  awaitable<bool> look();

  chassis::Process& process_;
  Catalogue& catalogue_;
  Store& store_;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::templates
