#pragma once
#include <boost/asio/steady_timer.hpp>

#include "conversations/templates/catalogue.hpp"

namespace parley::conversations::templates {

// Campaigns keep to what the channel says of their account: to how many people it may write first in 24 hours. Brings
// that up to date where it is older than an hour, for as long as they run. Any number of processes may.
class Limits {
 public:
  Limits(chassis::Process& process, Catalogue& catalogue, Store& store)
      : process_(process), catalogue_(catalogue), store_(store), timer_(process.context()) {}

  void start();
  // Waits for the question under way.
  awaitable<void> stop();

  // Asks for those that are old; of what is away the last word stays.
  awaitable<void> refresh();

 private:
  awaitable<void> run();

  chassis::Process& process_;
  Catalogue& catalogue_;
  Store& store_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false, over_ = true;
};

}  // namespace parley::conversations::templates
