#pragma once
// The operations that need more than their example.
#include "tests/e2e/requests.hpp"

namespace parley::e2e {

struct Special {
  Requests& requests;
  boost::json::value& body;
  Prepared& out;

  void apply(const std::map<std::string, std::string>& instead);

 private:
  // A number that the channel has, and that no other organization took.
  void account();
  // Somebody who has signed up; their token where `token` is said.
  boost::json::value signed_up();
  // An organization of its own, deleted by its name.
  void deletion();
  // Another session of somebody who has signed up.
  void session();
  // Somebody who has signed up, and whose second factor is as the operation takes it.
  void second_factor();
  // Something that was posted to a webhook in vain.
  void delivery();
  // A list that was made of a campaign's recipients.
  void retarget();
  void bulk_change();
  // That the campaign of the target has, with a variant; for a pick it has begun.
  void experiment();
  // The token of the organization's own URL.
  void token();
};

}  // namespace parley::e2e
