#pragma once
#include <span>
#include <stdexcept>

#include "common/chassis/service_client.hpp"
#include "common/contracts/contacts.hpp"
#include "conversations/inbox/webhooks/payload.hpp"

namespace parley::conversations::webhooks {

using boost::asio::awaitable;

// The contact that somebody is.
using Contact = contracts::contacts::ResolvedContact;

// Contacts will not have it that there are such people.
struct RefusedPeople : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Asks contacts who these are, as the senders are given; it makes contacts of strangers. Throws RefusedPeople and
// http::Unreachable. Asks even when there is nobody to ask about. `answer_time`
// is for each thousand people, and the contract's where there is none.
awaitable<std::vector<Contact>> resolve(chassis::ServiceClient& contacts, model::Uuid organization,
                                        std::span<const Sender* const> senders,
                                        std::chrono::milliseconds answer_time = {});

}  // namespace parley::conversations::webhooks
