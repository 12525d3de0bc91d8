// Messages that members send: what the check lets pass becomes a call of the channel, which is JSON.
#include "conversations/channel/content.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations;

FUZZ(message_content) {
  const auto type = static_cast<model::MessageType>(input.choice(13));
  model::Fault fault;
  const auto json = model::parse_of_client(input.rest(), fault);
  if (!json) return;
  if (refused([&] {
        http::Faults faults;
        channel::check_content(type, *json, faults);
        faults.throw_if_any();
      }))
    return;
  model::RawJson kept;
  model::Reader().read(*json, kept);
  const auto out = channel::to_channel({.message_id = {},
                                        .recipient = "US.1",
                                        .type = type,
                                        .data = kept.text,
                                        .reply_to_wamid = "wamid.1",
                                        .reaction_to_wamid = "wamid.2"});
  MUST(model::parse(out, fault));
}
