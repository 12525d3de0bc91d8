#include "tests/e2e/campaign_bed.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdio>

namespace parley::e2e {

namespace json = boost::json;

namespace {

// States of recipients, and what they are called in a campaign's progress.
const std::vector<std::pair<std::string, std::string>> kStates{
    {"Skipped", "skipped"},         {"Pending", "pending"}, {"Sent", "sent"},
    {"Delivered", "delivered"},     {"Read", "read"},       {"Failed", "failed"},
    {"UnDelivered", "undelivered"}, {"InDoubt", "inDoubt"}};

json::value array_of(const std::vector<std::string>& texts) {
  json::array out;
  for (const auto& text : texts) out.emplace_back(text);
  return out;
}

// The target of `Link: <TARGET>; rel="next"`, "" if there is none.
std::string next_page(const Answer& answer) {
  const auto link = answer.header("Link");
  const auto end = link.find(">; rel=\"next\"");
  if (end == link.npos) return {};
  const auto begin = link.rfind('<', end) + 1;
  return link.substr(begin, end - begin);
}

}  // namespace

CampaignScene::CampaignScene(System& system, const std::string& name, const std::string& phone_number_id)
    : channel_(system, name, phone_number_id) {
  channel_.simulator("POST", "/simulator/templates", json::parse(R"({
    "businessAccountId": "100000000000001", "name": "greeting", "language": "en_US", "status": "APPROVED",
    "category": "UTILITY", "components": [
      {"type": "BODY", "text": "Hello {{1}}, about {{2}}.", "example": {"body_text": [["Ada", "1815"]]}}]})"));
}

std::string CampaignScene::number(int n) { return std::to_string(4'915'200'000'000 + n); }

std::string CampaignScene::make_list(const std::string& name) {
  const auto answer = client().post("/api/lists", json::serialize(json::object{{"name", name}}));
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
  return answer.json().at("list").at("uniqueId").as_string().c_str();
}

std::string CampaignScene::import_list(const std::string& name, int first, int count) {
  const auto list = make_list(name);
  std::string file = "name,phone,city,order\r\n";
  for (int n = first; n < first + count; ++n) {
    file += "Person " + std::to_string(n) + ",+" + number(n) + ",Town " + std::to_string(n % 7) + ",";
    file += (n % 10 == 0 ? "" : std::to_string(n)) + "\r\n";
  }
  auto client = this->client();
  const auto taken =
      client.post("/api/contacts/imports?on_conflict=update&list_id=" + list, file, {{"Content-Type", "text/csv"}});
  REQUIRE_MESSAGE(taken.status == 202, taken.body);
  const auto target = taken.header("Location");
  wait_for("the import has ended", [&] { return client.get(target).json().at("import").at("status") == "Finished"; });
  const auto import = client.get(target).json().at("import");
  REQUIRE_MESSAGE(import.at("imported").as_int64() + import.at("updated").as_int64() == count, json::serialize(import));
  return list;
}

void CampaignScene::change_contact(int n, const json::object& changes) {
  const auto contact = channel_.contact(number(n));
  REQUIRE(!contact.is_null());
  const auto id = std::string(contact.at("uniqueId").as_string().c_str());
  const auto answer = client().post("/api/contacts/" + id, json::serialize(changes));
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
}

json::object CampaignScene::text_campaign(const std::vector<std::string>& lists, const std::string& text) const {
  return {{"name", "A campaign"},
          {"message", {{"type", "Text"}, {"text", text}}},
          {"listIds", array_of(lists)},
          {"phoneNumberId", channel_.phone_number_id()}};
}

json::object CampaignScene::template_campaign(const std::vector<std::string>& lists, const std::string& name,
                                              json::object parameters) const {
  auto out = text_campaign(lists);
  out["message"] = {{"type", "Template"},
                    {"template", {{"name", name}, {"language", "en_US"}, {"parameters", std::move(parameters)}}}};
  return out;
}

std::string CampaignScene::make(const json::object& campaign) {
  const auto answer = client().post("/api/campaigns", json::serialize(campaign));
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
  return answer.json().at("campaign").at("uniqueId").as_string().c_str();
}

std::string CampaignScene::act(const std::string& id, const std::string& action) {
  const auto answer = client().post("/api/campaigns/" + id + "/" + action, "");
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  return answer.json().at("campaign").at("status").as_string().c_str();
}

std::string CampaignScene::start(const json::object& campaign) {
  const auto id = make(campaign);
  act(id, "start");
  return id;
}

json::object CampaignScene::campaign(const std::string& id) {
  const auto answer = client().get("/api/campaigns/" + id);
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  return answer.json().at("campaign").as_object();
}

std::string CampaignScene::status(const std::string& id) { return campaign(id).at("status").as_string().c_str(); }

std::int64_t CampaignScene::progress(const std::string& id, std::string_view what) {
  return campaign(id).at("progress").at(what).as_int64();
}

void CampaignScene::wait_for_status(const std::string& id, std::string_view status) {
  if (!comes_to([&] { return this->status(id) == status; }))
    FAIL("never " << status << ": " << json::serialize(campaign(id)));
}

void CampaignScene::wait_for_progress(const std::string& id, std::string_view what, std::int64_t at_least) {
  if (!comes_to([&] { return progress(id, what) >= at_least; }))
    FAIL("never " << at_least << " " << what << ": " << json::serialize(campaign(id)));
}

json::array CampaignScene::recipients(const std::string& id, const std::string& query) {
  json::array out;
  auto client = this->client();
  auto target = "/api/campaigns/" + id + "/recipients?per_page=100" + (query.empty() ? "" : "&" + query);
  while (!target.empty()) {
    const auto answer = client.get(target);
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    const auto page = answer.json();
    for (const auto& recipient : page.at("recipients").as_array()) out.push_back(recipient);
    target = next_page(answer);
  }
  return out;
}

void CampaignScene::check_adds_up(const std::string& id) {
  const auto progress = campaign(id).at("progress").as_object();
  INFO(json::serialize(progress));
  std::int64_t sum = 0;
  for (const auto& [state, name] : kStates) {
    CAPTURE(state);
    const auto count = progress.at(name).as_int64();
    CHECK(count >= 0);
    CHECK_EQ(static_cast<std::int64_t>(recipients(id, "state=" + state).size()), count);
    sum += count;
  }
  CHECK_EQ(progress.at("recipients").as_int64(), sum);
}

std::map<std::string, std::int64_t> CampaignScene::accepted() {
  std::map<std::string, std::int64_t> out;
  const auto answer = channel_.simulator("GET", "/simulator/accepted");
  for (const auto& each : answer.at("accepted").as_array())
    out[each.at("recipient").as_string().c_str()] += each.at("count").to_number<std::int64_t>();
  return out;
}

}  // namespace parley::e2e
