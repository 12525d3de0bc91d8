// Templates at the simulated channel: its limits, what its reviewers do, and what it tells of that.
#include <algorithm>
#include <boost/json/parse.hpp>

#include "tests/integration/simulator_bed.hpp"

using namespace parley;
using namespace parley::simulator_tests;

namespace {

const std::string kPath = "/" + kAccount + "/message_templates";

std::string made(const std::string& name, const std::string& text) {
  return R"({"name":")" + name + R"(","language":"de","category":"UTILITY","components":[{"type":"BODY","text":")" +
         text + R"("}]})";
}
std::string edit(const std::string& text) { return R"({"components":[{"type":"BODY","text":")" + text + R"("}]})"; }

std::int64_t subcode_of(const Answer& answer) { return answer.json().at("error").at("error_subcode").as_int64(); }
std::string text_at(const json::value& value, const std::string& pointer) {
  return std::string(value.at_pointer(pointer).as_string());
}

}  // namespace

TEST_CASE("simulator: a template is reviewed, changed once a day when it is approved, and its name kept when deleted") {
  Bed bed;
  const auto id = text_at(bed.graph("POST", kPath, made("offer", "Hallo")).json(), "/id");
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, made("offer", "Hallo"))), 2388024);
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, made("Offer", "Hallo"))), 2388015);
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, made("other", "Hallo {{1}}."))), 2388043);
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, made("other", "{{1}}"))), 2388299);
  const auto review = [&](const json::object& word) {
    auto whole = word;
    whole["id"] = id;
    return text_at(bed.control("POST", "templates", whole), "/status");
  };
  CHECK_EQ(subcode_of(bed.graph("POST", "/" + id, edit("Guten Tag"))), 2388028);
  CHECK_EQ(review({{"status", "APPROVED"}}), "APPROVED");
  CHECK_EQ(bed.graph("POST", "/" + id, edit("Guten Tag")).status, 200);
  CHECK_EQ(text_at(bed.graph("GET", "/" + id).json(), "/status"), "PENDING");
  review({{"status", "APPROVED"}});
  CHECK_EQ(subcode_of(bed.graph("POST", "/" + id, edit("Servus"))), 2388027);
  CHECK_EQ(review({{"quality", "RED"}, {"category", "MARKETING"}}), "APPROVED");
  CHECK_EQ(review({{"status", "PAUSED"}, {"reason", "For 3 hours"}}), "PAUSED");
  CHECK_EQ(bed.graph("POST", "/" + id, edit("Servus")).status, 200);
  bed.wait_until_told();
  const auto changes = bed.heard("changes");
  REQUIRE_EQ(changes.size(), 5);
  // Webhooks that are under way at once may overtake each other.
  const auto has = [&](const std::string& field, const std::string& pointer, const std::string& text) {
    return std::ranges::any_of(changes, [&](const json::value& change) {
      boost::system::error_code missing;
      const auto* found = change.find_pointer(pointer, missing);
      return text_at(change, "/field") == field && found && *found == json::value(text);
    });
  };
  CHECK(has("message_template_quality_update", "/value/new_quality_score", "RED"));
  CHECK(has("template_category_update", "/value/previous_category", "UTILITY"));
  CHECK(has("message_template_status_update", "/value/other_info/description", "For 3 hours"));
  CHECK(json::parse(bed.application.webhooks().at(0).body).at_pointer("/entry/0/time").as_int64() > 1'700'000'000);

  review({{"status", "APPROVED"}});
  CHECK_EQ(subcode_of(bed.graph("DELETE", kPath + "?name=offer&hsm_id=1")), 2593002);
  CHECK_EQ(bed.graph("DELETE", kPath + "?name=offer&hsm_id=" + id).status, 200);
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, made("offer", "Hallo"))), 2388023);
}

TEST_CASE("simulator: a resumable upload gives the handle that a header needs") {
  Bed bed;
  const auto header = [](const std::string& handle) {
    return R"({"name":"picture","language":"de","category":"MARKETING","components":[{"type":"HEADER","format":"IMAGE",)"
           R"("example":{"header_handle":[")" +
           handle + R"("]}},{"type":"BODY","text":"Hallo"}]})";
  };
  CHECK_EQ(subcode_of(bed.graph("POST", kPath, header("none"))), 2388043);
  CHECK_EQ(code_of(bed.graph("POST", "/app/uploads?file_type=image/png")), 100);
  CHECK_EQ(code_of(bed.graph("POST", "/app/uploads?file_type=image/png&file_length=99999999")), 100);
  const auto session = text_at(bed.graph("POST", "/app/uploads?file_type=image/png&file_length=3").json(), "/id");
  CHECK(session.starts_with("upload:"));
  const auto upload = [&](const std::string& to, const std::string& octets, const std::string& offset) {
    return bed.graph("POST", "/" + to, octets, "image/png", {{"file_offset", offset}});
  };
  CHECK_EQ(subcode_of(upload("upload:unknown?sig=AR", "abc", "0")), 33);
  CHECK_EQ(code_of(upload(session, "abc", "1")), 100);
  CHECK_EQ(code_of(upload(session, "abcd", "0")), 6000);
  const auto handle = text_at(upload(session, "abc", "0").json(), "/h");
  CHECK_EQ(bed.graph("POST", kPath, header(handle)).status, 200);
  CHECK_EQ(subcode_of(upload(session, "abc", "0")), 33);  // the session is over
}
