#pragma once
#include <span>
#include <stdexcept>

#include "common/chassis/service_client.hpp"
#include "common/contracts/contacts.hpp"
#include "conversations/inbox/webhooks/payload.hpp"

namespace parley::conversations::webhooks {

using boost::asio::awaitable;

using Contact = contracts::contacts::ResolvedContact;

struct RefusedSenders : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Resolves the senders in order; contacts creates missing ones. Calls contacts even without senders. `answer_time`: per
// 1,000 people; 0: the contract's. Throws RefusedSenders and http::Unreachable.
awaitable<std::vector<Contact>> resolve(chassis::ServiceClient& contacts, model::Uuid organization,
                                        std::span<const Sender* const> senders,
                                        std::chrono::milliseconds answer_time = {});

}  // namespace parley::conversations::webhooks
