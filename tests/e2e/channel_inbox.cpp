// What members find in their inbox, through the whole system: campaigns fill none, and what is to be answered is there.
#include <boost/json/serialize.hpp>

#include "tests/e2e/campaign_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  CampaignScene scene{system, "Inbox", "200000000000601"};
  Channel& channel = scene.channel();
  Client client = channel.client();

  // The contacts' telephone numbers, without their plus, in the order of the list.
  std::vector<std::string> numbers(const std::string& query) {
    std::vector<std::string> out;
    const auto page = client.get("/api/conversations?per_page=100&" + query).json();
    for (const auto& each : page.at("conversations").as_array())
      out.push_back(string(each.at("contact"), "phone").substr(1));
    CHECK_EQ(page.at("paginationMeta").at("total").as_int64(), static_cast<std::int64_t>(out.size()));
    return out;
  }
  // active, closed, unread, awaiting, assignedToMe, unassigned
  std::string counts(const std::string& query = {}) {
    const auto answer = client.get("/api/conversations/counts" + query);
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    std::string out;
    const auto found = answer.json().at("counts").as_object();
    for (const auto& count : found) out += (out.empty() ? "" : " ") + std::to_string(count.value().as_int64());
    return out;
  }
  void write(const std::string& number, const std::string& wamid) {
    const auto before = channel.conversation(number);
    const auto had = before.is_null() ? 0 : before.at("totalMessages").as_int64();
    channel.deliver(channel.body({Channel::text(number, wamid, "hello")}));
    wait_for("it is there", [&] {
      const auto now = channel.conversation(number);
      return !now.is_null() && now.at("totalMessages").as_int64() == had + 1;
    });
  }
  void post(const std::string& number, const std::string& action, const json::value& body) {
    const auto path = "/api/conversation/" + string(channel.conversation(number), "uniqueId") + action;
    const auto answer = client.post(path, json::serialize(body));
    REQUIRE_MESSAGE(answer.status < 300, answer.body);
  }
};

using Numbers = std::vector<std::string>;

}  // namespace

TEST_SUITE("e2e: the channel, inbox") {
  TEST_CASE("messages of campaigns fill no inbox; who writes awaits an answer until they have it, and all is counted") {
    Bed bed;
    const auto one = CampaignScene::number(1);
    const std::string stranger = "4915112340601";
    const auto list = bed.scene.import_list("all", 1, 5);
    const auto campaign = bed.scene.start(bed.scene.template_campaign({list}, "greeting", {{"1", "x"}, {"2", "y"}}));
    bed.scene.wait_for_status(campaign, "Finished");
    CHECK_EQ(bed.numbers("").size(), 5);  // as ever
    CHECK_EQ(bed.numbers("has_inbound=false&initiated_by=Campaign").size(), 5);
    CHECK_EQ(bed.numbers("has_inbound=true"), Numbers{});
    CHECK_EQ(bed.numbers("awaiting=true"), Numbers{});
    CHECK_EQ(bed.counts(), "5 0 0 0 0 5");
    CHECK_EQ(bed.counts("?has_inbound=true"), "0 0 0 0 0 0");

    bed.write(one, "wamid.i1");
    bed.write(stranger, "wamid.i2");
    CHECK_EQ(bed.numbers("has_inbound=true&initiated_by=Campaign"), Numbers{one});
    CHECK_EQ(bed.numbers("has_inbound=true&initiated_by=Contact"), Numbers{stranger});
    CHECK_EQ(bed.numbers("awaiting=true").size(), 2);
    CHECK_EQ(bed.counts(), "6 0 2 2 0 6");
    CHECK_EQ(bed.counts("?has_inbound=true"), "2 0 2 2 0 2");
    CHECK_EQ(bed.counts("?has_inbound=false"), "4 0 0 0 0 4");

    const auto again = bed.scene.start(bed.scene.template_campaign({list}, "greeting", {{"1", "x"}, {"2", "z"}}));
    bed.scene.wait_for_status(again, "Finished");
    bed.post(one, "/read", json::object{});
    CHECK_EQ(bed.numbers("awaiting=true").size(), 2);
    bed.post(stranger, "/messages", {{"messageType", "Text"}, {"messageData", {{"text", "hello"}}}});
    CHECK_EQ(bed.numbers("awaiting=true"), Numbers{one});
    const auto member = bed.system.sql("organizations")
                            .value("SELECT id FROM member WHERE organization_id = $1", {bed.channel.organization()});
    bed.post(one, "/assign", {{"memberId", member}});
    CHECK_EQ(bed.numbers("awaiting=true&assigned_to=" + member), Numbers{one});
    CHECK_EQ(bed.counts("?has_inbound=true"), "2 0 1 1 1 1");
    bed.post(stranger, "", {{"status", "Closed"}});
    CHECK_EQ(bed.counts("?has_inbound=true"), "1 1 0 1 1 0");

    Channel other(bed.system, "Other", "200000000000602");
    CHECK_EQ(other.client().get("/api/conversations/counts").json().at("counts").at("active").as_int64(), 0);
  }
}
