// What goes wrong with the simulated channel when it is told to, and what was done all the same.
#include <boost/json/parse.hpp>

#include "tests/integration/simulator_bed.hpp"

using namespace parley;
using namespace parley::simulator_tests;

namespace {

void fail(Bed& bed, json::object fault) {
  fault.emplace("path", "/*/messages");
  bed.control("POST", "faults", fault);
}

std::int64_t accepted(Bed& bed) { return bed.judge("?limit=0").at("total").as_int64(); }

}  // namespace

TEST_CASE("simulator: calls are answered with any error, as often as said, and nothing is done") {
  Bed bed({"--open-window"});
  fail(bed, {{"code", 131056}, {"times", 2}});
  for (int i = 0; i < 2; ++i) {
    const auto answer = bed.send_text("m-1");
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(code_of(answer), 131056);
  }
  CHECK_EQ(accepted(bed), 0);
  CHECK_EQ(bed.send_text("m-1").status, 200);
  fail(bed, {{"code", 130429}, {"status", 429}});
  CHECK_EQ(bed.send_text("m-2").status, 429);
  fail(bed, {{"status", 503}, {"body", "<html>"}});
  const auto answer = bed.send_text("m-2");
  CHECK_EQ(answer.status, 503);
  CHECK_EQ(answer.body, "<html>");
  CHECK_EQ(accepted(bed), 1);
  CHECK_EQ(bed.control("GET", "journal").at("calls").as_array().size(), 6);  // with the exchange of the code
}

TEST_CASE("simulator: lost before and after it was done") {
  Bed bed({"--open-window"});
  fail(bed, {{"status", "reset"}});
  CHECK_EQ(bed.send_text("m-1").status, 0);
  CHECK_EQ(accepted(bed), 0);
  fail(bed, {{"status", "lose"}});
  CHECK_EQ(bed.send_text("m-1").status, 0);
  CHECK_EQ(accepted(bed), 1);
  fail(bed, {{"status", 500}, {"done", true}});
  CHECK_EQ(bed.send_text("m-2").status, 500);
  CHECK_EQ(accepted(bed), 2);
  bed.wait_until_told();
  CHECK_EQ(bed.heard("statuses").size(), 6);
}

TEST_CASE("simulator: a call may hang, having been done or not") {
  for (const bool done : {false, true}) {
    Bed bed({"--open-window"});
    fail(bed, {{"status", "hang"}, {"done", done}});
    support::Wire wire(bed.simulator.port());
    wire.send(support::request_text("POST", "/v20.0/" + kNumber + "/messages",
                                    {{"Authorization", "Bearer " + bed.token}},
                                    R"({"messaging_product":"whatsapp","to":"491701234567","text":{"body":"a"}})"));
    bed.wait_for([&] { return bed.control("GET", "journal").at("calls").as_array().size() == 2; });
    CHECK_EQ(accepted(bed), done ? 1 : 0);
    CHECK_EQ(bed.send_text("m-2").status, 200);  // only that one
  }
}

TEST_CASE("simulator: faults of one recipient, of one in so many, and of one method") {
  Bed bed({"--open-window"});
  fail(bed, {{"code", 131026}, {"recipient", "+49 170 1234568"}, {"times", 100}});
  CHECK_EQ(bed.send_text("m-1").status, 200);
  CHECK_EQ(code_of(bed.send_text("m-1", "491701234568")), 131026);
  bed.control("DELETE", "faults");
  CHECK_EQ(bed.send_text("m-1", "491701234568").status, 200);
  fail(bed, {{"code", 131000}, {"oneIn", 3}, {"times", 2}});
  std::string met;
  for (int i = 0; i < 9; ++i) met += bed.send_text("m-" + std::to_string(i)).status == 200 ? '.' : 'x';
  CHECK_EQ(met, "x..x.....");
  bed.control("POST", "faults", json::parse(R"({"path":"/*","method":"DELETE","status":500})"));
  CHECK_EQ(bed.graph("GET", "/" + kNumber).status, 200);
  CHECK_EQ(bed.graph("DELETE", "/1").status, 500);
}

TEST_CASE("simulator: what makes no sense is refused, and says where") {
  Bed bed;
  const auto status = [&](const std::string& path, const std::string& body) {
    support::Wire wire(bed.simulator.port());
    wire.send(support::request_text("POST", "/simulator/" + path, {}, body));
    return wire.read()->status;
  };
  CHECK_EQ(status("behaviour", R"({"repeat":0})"), 400);
  CHECK_EQ(status("behaviour", R"({"statuses":["dreamt"]})"), 400);
  CHECK_EQ(status("behaviour", R"({"webhookUrl":"gopher://a"})"), 400);
  CHECK_EQ(status("behaviour", R"({"reorder":"a"})"), 400);
  CHECK_EQ(status("faults", R"({"path":"/a","status":99})"), 400);
  CHECK_EQ(status("inbound", R"({"from":"nobody","text":"a"})"), 400);
  CHECK_EQ(status("inbound", R"({"text":"a"})"), 400);
  CHECK_EQ(status("inbound", R"({"from":"+491701234567"})"), 400);
  CHECK_EQ(status("inbound", R"({"from":"+491701234567","messages":[1]})"), 400);
  CHECK_EQ(status("inbound", R"({"from":"+491701234567","text":"a","phoneNumberId":"1"})"), 404);
  CHECK_EQ(status("nothing", "{}"), 404);
  CHECK_EQ(bed.control("GET", "behaviour").at("repeat"), json::value(1));
}
