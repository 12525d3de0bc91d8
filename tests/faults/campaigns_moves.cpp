#include "tests/faults/campaigns_moves.hpp"

#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

namespace parley::faults {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

const std::string kNumber = "200000000000480", kFirstsOther = "200000000000481", kSecondsOther = "200000000000482";
const std::string kBusinessAccount = "100000000000001";

}  // namespace

Moves::Moves(support::System& system)
    : system_(system), first_(system, "mover1", kNumber), second_(system, "mover2", kSecondsOther) {
  first_.simulator("POST", "/simulator/accounts",
                   {{"businessAccountId", kBusinessAccount},
                    {"phoneNumbers", json::array{{{"id", kFirstsOther}, {"displayPhoneNumber", "+1 555 0101"}}}}});
}

// Who is answered 5xx tries again for a while: each time with another code, as one may have been taken.
void Moves::connect(e2e::Channel& organization, const std::string& phone_number_id) {
  auto client = organization.client();
  client.may_fail = true;
  std::string last;
  for (int tries = 0; tries < 50; ++tries) {
    const auto answer = client.post("/api/organization/messagingBusinessAccount",
                                    json::serialize(json::object{{"businessAccountId", kBusinessAccount},
                                                                 {"code", "code-move-" + std::to_string(++codes_)},
                                                                 {"phoneNumberId", phone_number_id}}));
    if (answer.status == 200) return;
    last = answer.body;
    std::this_thread::sleep_for(100ms);
  }
  FAIL("the number " << phone_number_id << " cannot be connected: " << last);
}

std::string Moves::write() {
  written_.push_back("Written as " + std::to_string(written_.size()));
  first_.simulator("POST", "/simulator/inbound",
                   {{"phoneNumberId", kNumber},
                    {"from", "49151" + std::to_string(70'000'000 + written_.size() % 7)},
                    {"text", written_.back()}});
  return written_.back();
}

std::int64_t Moves::times(e2e::Channel& organization, const std::string& text) {
  return system_.sql("conversations")
      .number("SELECT count(*) FROM message WHERE organization_id = $1 AND data ->> 'text' = $2",
              {organization.organization(), text});
}

void Moves::move() {
  auto& from = moves_ % 2 == 0 ? first_ : second_;
  auto& to = moves_ % 2 == 0 ? second_ : first_;
  connect(from, &from == &first_ ? kFirstsOther : kSecondsOther);
  connect(to, kNumber);
  ++moves_;
  system_.reconnect();
  for (int n = 0; n < 3; ++n) {
    const auto text = write();
    e2e::wait_for("what was written after a move is stored", [&] { return times(from, text) + times(to, text) > 0; });
    CHECK_EQ(times(to, text), 1);
    CHECK_EQ(times(from, text), 0);
  }
}

void Moves::judge() {
  system_.reconnect();
  for (const auto& text : written_) {
    CAPTURE(text);
    e2e::wait_for("what was written is stored", [&] { return times(first_, text) + times(second_, text) > 0; });
    CHECK_EQ(times(first_, text) + times(second_, text), 1);
  }
}

}  // namespace parley::faults
