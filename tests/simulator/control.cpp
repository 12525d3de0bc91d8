#include "tests/simulator/control.hpp"

#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "common/http/body.hpp"

namespace parley::simulator {

namespace json = boost::json;

struct NewFault {
  std::string path;
  model::RawJson status;
  std::optional<std::string> method;
  std::optional<std::int64_t> times;
  std::optional<model::RawJson> error;
  std::optional<std::string> body;
};
BOOST_DESCRIBE_STRUCT(NewFault, (), (path, status, method, times, error, body))

struct NewNumber {
  std::string id;
  std::optional<std::string> displayPhoneNumber, verifiedName, codeVerificationStatus;
};
BOOST_DESCRIBE_STRUCT(NewNumber, (), (id, displayPhoneNumber, verifiedName, codeVerificationStatus))

struct NewAccount {
  std::string businessAccountId;
  std::vector<NewNumber> phoneNumbers;
};
BOOST_DESCRIBE_STRUCT(NewAccount, (), (businessAccountId, phoneNumbers))

namespace {

http::Response answer(const json::value& value) {
  http::Response response;
  response.body = json::serialize(value);
  return response;
}

http::Response done() {
  http::Response response;
  response.status = 204;
  response.content_type = "";
  return response;
}

template <class T>
T read(std::string_view body) {
  const auto value = http::parse_body(body);
  T out;
  model::Reader reader;
  reader.read(value, out);
  http::throw_faults(std::move(reader.faults));
  return out;
}

}  // namespace

Control::Control(State& state) : state_(state) {
  add(http::Method::get, "/simulator/journal", &Control::show_journal);
  add(http::Method::del, "/simulator/journal", &Control::clear_journal);
  add(http::Method::post, "/simulator/faults", &Control::add_fault);
  add(http::Method::del, "/simulator/faults", &Control::clear_faults);
  add(http::Method::post, "/simulator/accounts", &Control::make_account);
  add(http::Method::get, "/simulator/accounts", &Control::show_accounts);
}

void Control::add(http::Method method, std::string_view path, Handler handler) {
  router_.add(method, path);
  handlers_.push_back(handler);
}

awaitable<http::Response> Control::serve(http::Request& request) {
  const auto match = router_.match(request.method, request.path);
  if (!match.found) throw http::Problem{.status = 404, .detail = "the simulator has no such control"};
  const auto body = co_await request.body();
  co_return (this->*handlers_[match.route])(body);
}

http::Response Control::show_journal(std::string_view) {
  json::array calls;
  for (const auto& call : state_.journal)
    calls.push_back({{"method", call->method},
                     {"path", call->path},
                     {"query", call->query},
                     {"authorization", call->authorization},
                     {"body", call->body},
                     {"status", call->status}});
  return answer({{"calls", calls}});
}

http::Response Control::clear_journal(std::string_view) {
  state_.journal.clear();
  return done();
}

http::Response Control::add_fault(std::string_view body) {
  auto given = read<NewFault>(body);
  Fault fault;
  fault.path = std::move(given.path);
  fault.method = given.method.value_or("");
  fault.times = given.times.value_or(1);
  fault.body = given.body.value_or("");
  if (given.error) fault.body = "{\"error\":" + given.error->text + "}";
  if (given.status.text == "\"hang\"")
    fault.kind = Fault::Kind::hang;
  else if (given.status.text == "\"reset\"")
    fault.kind = Fault::Kind::reset;
  else if (given.status.text == "\"lose\"")
    fault.kind = Fault::Kind::lose;
  else
    fault.status = static_cast<unsigned>(std::strtoul(given.status.text.c_str(), nullptr, 10));
  if (fault.kind == Fault::Kind::answer && (fault.status < 200 || fault.status > 599))
    throw http::Problem{.status = 400, .detail = "status must be from 200 to 599, \"hang\", \"reset\" or \"lose\""};
  state_.faults.add(std::move(fault));
  return done();
}

http::Response Control::clear_faults(std::string_view) {
  state_.faults.clear();
  return done();
}

http::Response Control::make_account(std::string_view body) {
  auto given = read<NewAccount>(body);
  state_.accounts[given.businessAccountId];
  for (auto& number : given.phoneNumbers) {
    const auto id = number.id;
    state_.numbers[id] = PhoneNumber{id,
                                     given.businessAccountId,
                                     number.displayPhoneNumber.value_or("+1 555 0100"),
                                     number.verifiedName.value_or("Test Business"),
                                     number.codeVerificationStatus.value_or("VERIFIED"),
                                     std::nullopt};
  }
  return done();
}

http::Response Control::show_accounts(std::string_view) {
  json::array accounts;
  for (const auto& [id, subscription] : state_.accounts) {
    json::object account{{"businessAccountId", id}, {"subscription", nullptr}};
    if (subscription)
      account["subscription"] = {{"override_callback_uri", subscription->override_callback_uri},
                                 {"verify_token", subscription->verify_token}};
    json::array numbers;
    for (const auto& [number_id, number] : state_.numbers)
      if (number.business_account_id == id)
        numbers.push_back({{"id", number_id}, {"pin", number.pin ? json::value(*number.pin) : json::value(nullptr)}});
    account["phoneNumbers"] = std::move(numbers);
    accounts.push_back(std::move(account));
  }
  return answer({{"accounts", accounts}});
}

}  // namespace parley::simulator
