#pragma once
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

using boost::asio::awaitable;

// It cannot be done, now nor another time; the words are for who asked for it.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Lists, which are contacts'. Whatever is asked may be asked again.
class Lists {
 public:
  explicit Lists(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // Makes the list of a retarget, unless it was made before; in the contract's time if there is none. Throws
  // http::Unreachable and Refused.
  awaitable<void> make(Job job, chassis::RequestContext scope, std::chrono::milliseconds answer_time);
  // Whether that could be done now.
  awaitable<bool> try_to_make(Job job, chassis::RequestContext scope);
  // How many of the contacts there are, and so are in the list now. Throws as make(), Refused also when somebody has
  // deleted the list.
  awaitable<std::int64_t> add(Job job, std::vector<model::Uuid> contacts, chassis::RequestContext scope);

 private:
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::audience_lists
