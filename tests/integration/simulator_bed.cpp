#include "tests/integration/simulator_bed.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/support/signing.hpp"

namespace parley::simulator_tests {

using namespace std::chrono_literals;

Application::Application()
    : server_({}, [this](http::Request& request) -> boost::asio::awaitable<http::Response> {
        const auto body = co_await request.body();
        co_return serve(request, std::string(body));
      }) {}

http::Response Application::serve(http::Request& request, std::string body) {
  const std::lock_guard lock(mutex_);
  http::Response response;
  if (request.method == http::Method::get) {  // the challenge
    const auto query = std::string(request.query);
    const auto at = query.find("hub.challenge=") + 14;
    response.content_type = "text/plain";
    response.body = query.substr(at, query.find('&', at) - at);
    if (query.find("hub.verify_token=right") == query.npos) response.status = 403;
    return response;
  }
  webhooks_.push_back({std::string(request.path), std::string(request.field("X-Hub-Signature-256")), std::move(body)});
  if (!statuses_.empty()) {
    response.status = statuses_.front();
    statuses_.erase(statuses_.begin());
  }
  return response;
}

std::vector<Application::Webhook> Application::webhooks() {
  const std::lock_guard lock(mutex_);
  return webhooks_;
}

void Application::answer_with(std::vector<unsigned> statuses) {
  const std::lock_guard lock(mutex_);
  statuses_ = std::move(statuses);
}

std::string signature_of(std::string_view body) { return support::hub_signature(kSecret, body); }

namespace {

std::vector<std::string> with_defaults(std::vector<std::string> options, const Application& application) {
  options.insert(options.end(), {"--app-id", "300", "--app-secret", kSecret, "--webhook-url", application.url()});
  return options;
}

Answer ask(int port, const std::string& method, const std::string& target,
           std::vector<std::pair<std::string, std::string>> fields, const std::string& body) {
  support::Wire wire(port);
  fields.emplace_back("Connection", "close");
  wire.send(support::request_text(method, target, fields, body));
  auto answer = wire.read();
  return answer ? std::move(*answer) : Answer{};  // status 0: the connection ended
}

}  // namespace

Bed::Bed(std::vector<std::string> options) : simulator(with_defaults(std::move(options), application)) {
  const auto answer = ask(simulator.port(), "GET",
                          "/v20.0/oauth/access_token?client_id=300&client_secret=" + kSecret + "&code=code-1", {}, "");
  token = answer.json().at("access_token").as_string().c_str();
}

Answer Bed::graph(const std::string& method, const std::string& path, const std::string& body,
                  const std::string& content_type, std::vector<std::pair<std::string, std::string>> fields) {
  fields.emplace_back("Authorization", "Bearer " + token);
  fields.emplace_back("Content-Type", content_type);
  return ask(simulator.port(), method, "/v20.0" + path, std::move(fields), body);
}

Answer Bed::send(json::object message, const std::string& to) {
  message.emplace("messaging_product", "whatsapp");
  if (!to.empty()) message.emplace("to", to);
  return graph("POST", "/" + kNumber + "/messages", json::serialize(message));
}

Answer Bed::send_text(const std::string& opaque, const std::string& to) {
  return send({{"type", "text"}, {"text", {{"body", "Hello"}}}, {"biz_opaque_callback_data", opaque}}, to);
}

json::value Bed::control(const std::string& method, const std::string& path, const json::value& body) {
  const auto answer = ask(simulator.port(), method, "/simulator/" + path, {},
                          body.is_null()     ? ""
                          : body.is_string() ? std::string(body.get_string())
                                             : json::serialize(body));
  REQUIRE_MESSAGE(answer.status / 100 == 2, answer.body);
  return answer.body.empty() ? json::value(nullptr) : answer.json();
}

void Bed::open_window(const std::string& user) {
  control("POST", "inbound", json::object{{"from", user}, {"text", "Hello"}});
}

void Bed::wait_for(const std::function<bool()>& condition) {
  for (const auto end = std::chrono::steady_clock::now() + 60s; !condition();) {
    if (std::chrono::steady_clock::now() > end) FAIL("waited a minute in vain");
    std::this_thread::sleep_for(2ms);
  }
}

void Bed::wait_until_told() {
  wait_for([&] { return control("GET", "webhooks?limit=0").at("pending") == json::value(0); });
}

json::array Bed::heard(const std::string& kind) {
  json::array out;
  for (const auto& webhook : application.webhooks()) {
    const auto body = json::parse(webhook.body);
    for (const auto& entry : body.at("entry").as_array())
      for (const auto& change : entry.at("changes").as_array()) {
        const auto& value = change.at("value").as_object();
        if (kind == "changes" && change.at("field") != json::value("messages")) out.push_back(change);
        if (const auto* elements = value.if_contains(kind))
          for (const auto& element : elements->as_array()) out.push_back(element);
      }
  }
  return out;
}

}  // namespace parley::simulator_tests
