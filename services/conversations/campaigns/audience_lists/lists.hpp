#pragma once
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

using boost::asio::awaitable;

// A permanent refusal; the text is for the requester.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The lists of contacts. All calls may be repeated.
class Lists {
 public:
  explicit Lists(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // Makes a retarget's list unless it exists. `answer_time` 0: the contract's. Throws http::Unreachable, Refused.
  awaitable<void> make(Job job, chassis::RequestContext scope, std::chrono::milliseconds answer_time);
  // Returns whether the list was made now.
  awaitable<bool> try_to_make(Job job, chassis::RequestContext scope);
  // Returns how many contacts exist and are in the list now. Throws as make(); Refused also if the list was deleted.
  awaitable<std::int64_t> add(Job job, std::vector<model::Uuid> contacts, chassis::RequestContext scope);

 private:
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::audience_lists
