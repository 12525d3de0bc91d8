#include "conversations/channel/refusals.hpp"

namespace parley::conversations::channel {

Reaction reaction_to(const cloud_api::Error& error) {
  using enum cloud_api::ErrorClass;
  switch (error.meaning) {
    case unknown:
    case unavailable:
    case media:
      return Reaction::retry;
    case rate_limit:
      return Reaction::slow_number;
    case pair_limit:
      return Reaction::slow_recipient;
    case maintenance:
      return Reaction::wait_for_maintenance;
    case opted_out:
      return Reaction::opted_out;
    case bad_template:
      return Reaction::fail_campaign;
    case restricted:
      return Reaction::pause_campaign;
    case access:
    case application:
      return Reaction::stop_account;
    case unlisted:
      if (error.status == 429) return Reaction::slow_number;
      break;
    case rejected:
    case registration:
      break;
  }
  return error.transient ? Reaction::retry : Reaction::give_up;
}

}  // namespace parley::conversations::channel
