// The channel's way in, through the gateway: without a credential, and without a rate.
#include "tests/e2e/world.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

Answer post(const std::string& body, const std::string& signature) {
  Wire wire(world().system.gateway().port());
  wire.send(support::request_text("POST", "/webhooks/messaging", {{"X-Hub-Signature-256", signature}}, body));
  return wire.read().value();
}

unsigned post_signed(const std::string& body) {
  return post(body, support::hub_signature(System::app_secret(), body)).status;
}

}  // namespace

TEST_CASE("webhooks: what is signed is taken, up to 3 MiB; what is not is refused") {
  const std::string empty = R"({"entry":[]})";
  for (const auto& body : {empty, empty + std::string((3 << 20) - empty.size(), ' ')}) CHECK_EQ(post_signed(body), 200);
  CHECK_EQ(post_signed(std::string((3 << 20) + 1, ' ')), 413);
  for (const auto& signature : {std::string(), support::hub_signature("another", "{}")}) {
    const auto answer = post("{}", signature);
    CHECK_EQ(answer.status, 401);
    CHECK_FALSE(answer.has("RateLimit"));  // there is none
  }
}
