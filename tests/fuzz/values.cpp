// Small values in queries, paths and bodies: whatever is taken is written in one way, which is taken for the same.
#include "common/identity/api_key.hpp"
#include "common/identity/keys.hpp"
#include "common/identity/permission.hpp"
#include "common/model/timestamp.hpp"
#include "conversations/campaigns/requests.hpp"
#include "conversations/events/stream/position.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

FUZZ(values) {
  const auto text = input.rest();
  if (const auto moment = model::Timestamp::parse(text)) {
    MUST(model::Timestamp::parse(moment->text()) == moment);
    MUST(moment->text().size() == 24);
  }
  if (const auto id = model::Uuid::parse(text)) {
    MUST(model::Uuid::parse(id->text()) == id);
    for (std::size_t i = 0; i < text.size(); ++i) MUST((text[i] | 0x20) == (id->text()[i] | 0x20));
  }
  if (const auto octets = identity::from_base64url(text)) MUST_EQUAL(identity::to_base64url(*octets), text);
  MUST(identity::from_base64url(identity::to_base64url(text)) == text);
  if (const auto octets = identity::from_hex(text)) MUST_EQUAL(identity::to_hex(*octets), text);
  MUST(identity::from_hex(identity::to_hex(text)) == text);
  if (const auto place = conversations::stream::Position::parse(text)) MUST_EQUAL(place->text(), text);
  if (const auto permission = identity::parse_permission(text)) MUST_EQUAL(identity::name_of(*permission), text);
  if (const auto schedule = conversations::campaigns::read_schedule(std::string(text)))
    MUST(schedule->moment.has_value() == schedule->local.empty());
}
