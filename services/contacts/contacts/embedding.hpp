#pragma once
#include "common/async/gathering.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

// The conversations of single contacts, from the service of conversations. Requests that are read together ask for
// theirs together, under the request id of the first.
class Embedding {
  struct Key {
    model::Uuid organization;
    std::int64_t messages;
    auto operator<=>(const Key&) const = default;
  };
  using Parts = std::optional<chassis::Fragments>;
  using Questions = async::Gathering<Key, chassis::RequestContext, model::Uuid, Parts>;

 public:
  struct Asked {
    Key key;
    model::Uuid contact;
    Questions::Asked question;
  };

  Embedding(chassis::Process& process, chassis::ServiceClient& conversations);

  // Asks for one contact's conversations, each with its newest `messages`.
  Asked ask(const chassis::RequestContext& scope, const model::Uuid& organization, std::int64_t messages,
            const model::Uuid& contact);
  // The contact's conversations as JSON; nullopt if the other service is unreachable, failed, or timed out. Asks again,
  // for this contact alone, if its messages are too long for an answer about several.
  awaitable<std::optional<model::RawJson>> answer(const chassis::RequestContext& scope, Asked asked);

 private:
  Questions questions_;
};

}  // namespace parley::contacts::contacts
