#include "tests/e2e/specials.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <set>

#include "common/identity/session_token.hpp"
#include "tests/support/authenticator.hpp"

namespace parley::e2e {

namespace json = boost::json;

namespace {
std::string view(json::string_view text) { return {text.data(), text.size()}; }
}  // namespace

void Special::account() {
  static std::map<std::string, std::pair<std::string, std::string>> known;  // account and number, by organization
  auto& [account, number] = known[requests.organization_.id];
  if (number.empty()) {
    account = "1777" + std::to_string(next_number());
    number = "2777" + std::to_string(next_number());
    Wire wire(requests.system_.simulator().port());
    const json::object made{{"businessAccountId", account}, {"phoneNumbers", {{{"id", number}}}}};
    wire.send(support::request_text("POST", "/simulator/accounts", {{"Content-Type", "application/json"}},
                                    json::serialize(made)));
    wire.read();
    // What is sent comes to rest when the channel has taken it.
    wire.send(support::request_text("POST", "/simulator/behaviour", {{"Content-Type", "application/json"}},
                                    R"({"statuses":"none"})"));
    wire.read();
  }
  body = json::object{{"businessAccountId", account},
                      {"code", "code-generated-" + std::to_string(next_number())},
                      {"phoneNumberId", number}};
  out.fresh.push_back(view(body.at("code").as_string()));
}

json::value Special::signed_up() {
  const auto* operation = find_operation(requests.system_, "register");
  if (!operation) throw std::logic_error("nobody can sign up");
  const auto prepared = requests.make(*operation);
  const auto answer = requests.send_as("", prepared);
  if (answer.status != 201) throw std::runtime_error("signing up failed: " + answer.body);
  auto person = json::parse(prepared.body);
  person.as_object()["token"] = answer.json().at("session").at("token");
  return person;
}

void Special::deletion() {
  const auto made = requests.send(requests.make(*find_operation(requests.system_, "createOrganization")));
  const auto organization = made.json().at("organization");
  const auto id = view(organization.at("uniqueId").as_string());
  auto name = view(organization.at("name").as_string());
  for (auto at = name.find(' '); at != name.npos; at = name.find(' ')) name.replace(at, 1, "%20");
  out.target = "/api/organization/" + id + "?name=" + name;
  out.headers.emplace_back("X-Organization-Id", id);
}

void Special::session() {
  const auto person = signed_up();
  out.api_key = view(person.at("token").as_string());
  Client nobody(requests.system_);
  const json::object again{{"email", person.at("email")}, {"password", person.at("password")}};
  const auto answer = nobody.post("/api/auth/login", json::serialize(again));
  const auto token = identity::SessionToken::parse(view(answer.json().at("session").at("token").as_string()));
  out.target = "/api/auth/sessions/" + token.value().session_id.text();
}

void Special::second_factor() {
  const auto& id = out.operation->id;
  const auto person = signed_up();
  out.api_key = view(person.at("token").as_string());
  const json::object password{{"password", person.at("password")}};
  body = password;
  if (id == "beginSecondFactor") return;
  Client client(requests.system_, out.api_key);
  const auto begun = client.post("/api/user/second-factor", json::serialize(password)).json();
  const auto secret = view(begun.at("secondFactor").at("secret").as_string());
  const json::object code{{"code", support::authenticator_code(secret)}};
  if (id == "confirmSecondFactor")
    body = code;
  else
    client.post("/api/user/second-factor/confirm", json::serialize(code));
}

void Special::delivery() {
  const auto webhook = requests.fresh_id("webhook"), delivery = model::new_uuid().text();
  auto& sql = requests.system_.sql("conversations");
  sql.rows("INSERT INTO webhook_notice (organization_id, id, type, body) VALUES ($1, $2, 'message.created', '{}')",
           {requests.organization_.id, delivery});
  sql.rows(
      "INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id, state, due_at) VALUES ($1, $2, $3, "
      "$3, "
      "'Failed', NULL)",
      {requests.organization_.id, webhook, delivery});
  out.target = "/api/webhooks/" + webhook + "/deliveries/" + delivery + "/replay";
}

void Special::retarget() {
  const auto campaign = requests.fresh_id("campaign"), id = model::new_uuid().text();
  requests.system_.sql("conversations")
      .rows(
          "INSERT INTO retarget (organization_id, id, campaign_id, list_id, criteria, finished_at) VALUES ($1, $2, $3, "
          "$2, '{\"name\": \"Again\", \"who\": \"Failed\"}', now())",
          {requests.organization_.id, id, campaign});
  out.target = "/api/campaigns/" + campaign + "/retargets/" + id;
}

void Special::experiment() {
  const auto begin = std::string("/api/campaigns/").size();
  const auto campaign = out.target.substr(begin, out.target.find('/', begin) - begin);
  const bool has_begun = out.operation->id == "pickCampaignWinner";
  requests.system_.sql("conversations")
      .rows(
          "UPDATE campaign SET variants = '[{\"name\": \"B\", \"share\": 50, \"message\": {\"type\": \"Text\", "
          "\"text\": \"b\"}}]', experiment = '{\"share\": 50, \"rule\": \"Read\", \"minimum\": 1}'" +
              std::string(has_begun ? ", status = 'Paused', started_at = now()" : "") +
              " WHERE organization_id = $1 AND id = $2",
          {requests.organization_.id, campaign});
}

void Special::token() {
  const auto connected =
      requests.send(requests.make(*find_operation(requests.system_, "updateMessagingBusinessAccount")));
  const auto secret = view(connected.json().at("webhookSecret").as_string());
  const std::string_view example = "EXAMPLE-WEBHOOK-SECRET";
  out.target.replace(out.target.find(example), example.size(), secret);
}

// So many contacts match as there are.
void Special::bulk_change() {
  const auto list = view(body.at("contacts").at("listId").as_string());
  const auto page = requests.owner_.get("/api/contacts?per_page=1&list_id=" + list);
  const auto total = page.json().at("paginationMeta").at("total").to_number<std::int64_t>();
  body.as_object()["expected"] = std::max<std::int64_t>(total, 1);
}

void Special::apply(const std::map<std::string, std::string>& instead) {
  const auto& id = out.operation->id;
  if (id == "replayWebhookDelivery" && instead.empty()) delivery();
  if (id == "getCampaignRetarget" && instead.empty()) retarget();
  if (id == "startBulkChange") bulk_change();
  static const std::set<std::string> of_experiment{"getCampaignExperiment", "setCampaignExperiment",
                                                   "removeCampaignExperiment", "pickCampaignWinner"};
  if (of_experiment.contains(id) && !instead.contains("path:id")) experiment();
  if (id == "streamEvents") out.target += (out.target.find('?') == out.target.npos ? "?wait=0" : "&wait=0");
  if (id == "confirmOrganizationWebhook" && instead.empty()) token();
  if (id == "updateMessagingBusinessAccount") account();
  // Before anybody learns that there is no account, which is remembered for some seconds.
  static const std::set<std::string> with_account{
      "listTemplates", "listPhoneNumbers", "uploadMedia",         "sendMessage",    "testCampaign",   "startCampaign",
      "getTemplate",   "resumeCampaign",   "uploadTemplateMedia", "createTemplate", "updateTemplate", "deleteTemplate"};
  if (with_account.contains(id)) requests.connect();
  static const std::set<std::string> of_second_factor{"beginSecondFactor", "confirmSecondFactor",
                                                      "replaceRecoveryCodes", "disableSecondFactor"};
  if (of_second_factor.contains(id)) second_factor();
  if (id == "deleteSession" && instead.empty()) session();
  if (id == "deleteOrganization" && !instead.contains("path:id")) deletion();
  if (id == "login" || id == "logout") {
    const auto person = signed_up();
    if (id == "logout")
      out.api_key = view(person.at("token").as_string());
    else
      body = json::object{{"email", person.at("email")}, {"password", person.at("password")}};
  }
  if (id == "setPassword") {
    const auto person = signed_up();
    const auto issued =
        requests.system_.run("organizations", {"password-token", "--email", view(person.at("email").as_string())},
                             requests.system_.organizations().environment);
    body.as_object()["token"] = json::parse(issued).at("passwordToken");
  }
  if (id == "createTemplate" && !instead.contains("body:/name")) {  // names of templates have no blanks
    out.fresh = {"order_sent_" + std::to_string(next_number())};
    body.as_object()["name"] = out.fresh.front();
  }
  if (id == "updateUser") body = json::object{{"name", body.at("name")}};  // a password is changed once
  if (id == "joinOrganization") {
    const auto invite =
        requests.send(requests.make(*contract_of(requests.system_).find("POST", "/api/organization/invites")));
    body.as_object()["token"] = invite.json().at("token");
    out.api_key.clear();  // who has a credential joins as who they are
  }
  // It ends the credential that it is asked with.
  if (id == "regenerateApiKey")
    out.api_key = requests.system_
                      .add_member(requests.organization_.id, "leaves" + std::to_string(next_number()) + "@example.com",
                                  0, "Owner")
                      .api_key;
}

}  // namespace parley::e2e
