#include "tests/simulator/control.hpp"

#include <algorithm>
#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "common/http/query.hpp"
#include "tests/simulator/content.hpp"
#include "tests/simulator/messages.hpp"

namespace parley::simulator {

namespace json = boost::json;

struct NewFault {
  std::string path;
  std::optional<model::RawJson> status;
  std::optional<std::string> method, recipient;
  std::optional<std::int64_t> times, oneIn, code;
  std::optional<bool> done;
  std::optional<model::RawJson> error;
  std::optional<std::string> body;
};
BOOST_DESCRIBE_STRUCT(NewFault, (), (path, status, method, recipient, times, oneIn, code, done, error, body))

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

struct AcceptedQuery {
  std::optional<std::string> recipient;
  std::optional<std::int64_t> limit;
};
BOOST_DESCRIBE_STRUCT(AcceptedQuery, (), (recipient, limit))

namespace {

http::Response answer(const json::value& value) { return control_answer(json::serialize(value)); }

bool is_id(std::string_view text) {
  const auto is_good = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), is_good);
}

// Streams the list: a million messages are never in one string.
class AcceptedSource final : public http::BodySource {
 public:
  AcceptedSource(State& state, std::string recipient, std::size_t limit)
      : state_(state), recipient_(std::move(recipient)), left_(limit), end_(limit == 0 ? 0 : state.accepted.size()) {}

  awaitable<std::string_view> next() override {
    piece_.clear();
    if (!begun_) {
      const auto& accepted = state_.accepted;
      piece_ = "{\"total\":" + std::to_string(accepted.size()) +
               ",\"distinct\":" + std::to_string(accepted.distinct()) +
               ",\"doubled\":" + std::to_string(accepted.doubled()) + ",\"accepted\":[";
      begun_ = true;
    }
    end_ = std::min<std::size_t>(end_, state_.accepted.size());  // may have been cleared meanwhile
    for (; at_ < end_ && left_ > 0 && piece_.size() < 64 * 1024; ++at_)
      if (state_.accepted.count(at_) > 0) append(at_);
    if ((at_ >= end_ || left_ == 0) && !ended_) {
      piece_ += "]}";
      ended_ = true;
    }
    co_return piece_;
  }

 private:
  void append(std::uint32_t number) {
    const auto message = state_.accepted.at(number);
    if (!recipient_.empty() && message.recipient != recipient_) return;
    piece_ += any_ ? ",{\"recipient\":" : "{\"recipient\":";
    any_ = true;
    --left_;
    model::write(piece_, message.recipient);
    piece_ += ",\"opaque\":";
    model::write(piece_, message.opaque);
    piece_.append(",\"wamid\":\"").append(state_.accepted.id_of(number)).append("\",\"count\":");
    model::write(piece_, state_.accepted.count(number));
    piece_.append(",\"type\":\"").append(kTypes[message.type]).append("\",\"body\":");
    const auto* call = state_.journal.find(message.call);
    if (call && call->body.size() < Journal::kMaxBodyLength)
      model::write(piece_, std::string_view(call->body));
    else
      piece_ += "null";
    piece_ += '}';
  }

  State& state_;
  std::string recipient_, piece_;
  std::size_t left_, end_;
  std::uint32_t at_ = 0;
  bool begun_ = false, any_ = false, ended_ = false;
};

}  // namespace

http::Response control_answer(std::string body) {
  http::Response response;
  response.body = std::move(body);
  return response;
}

Control::Control(State& state, Webhooks& webhooks)
    : state_(state), webhooks_(webhooks), first_behaviour_(state.behaviour) {
  using enum http::Method;
  add(get, "/simulator/accepted", &Control::show_accepted);
  add(del, "/simulator/accepted", &Control::clear_accepted);
  add(get, "/simulator/journal", &Control::show_journal);
  add(del, "/simulator/journal", &Control::clear_journal);
  add(post, "/simulator/faults", &Control::add_fault);
  add(del, "/simulator/faults", &Control::clear_faults);
  add(post, "/simulator/behaviour", &Control::set_behaviour);
  add(get, "/simulator/behaviour", &Control::show_behaviour);
  add(del, "/simulator/behaviour", &Control::reset_behaviour);
  add(post, "/simulator/accounts", &Control::make_account);
  add(get, "/simulator/accounts", &Control::show_accounts);
  add(post, "/simulator/inbound", &Control::inbound);
  add(post, "/simulator/statuses", &Control::status);
  add(post, "/simulator/changes", &Control::change);
  add(post, "/simulator/templates", &Control::make_template);
  add(post, "/simulator/media", &Control::add_media);
  add(del, "/simulator/media", &Control::forget_media);
  add(get, "/simulator/webhooks", &Control::show_webhooks);
  add(del, "/simulator/webhooks", &Control::clear_webhooks);
}

void Control::add(http::Method method, std::string_view path, Handler handler) {
  router_.add(method, path);
  handlers_.push_back(handler);
}

awaitable<http::Response> Control::serve(http::Request& request) {
  const auto body = co_await request.body();
  const Asked asked{request.query, body, request.field("Content-Type")};
  if (request.method == http::Method::post && request.path == "/simulator/webhook")
    co_return co_await post_webhook(asked);
  const auto match = router_.match(request.method, request.path);
  if (!match.found) throw http::Problem({.status = 404, .detail = "the simulator has no such control"});
  co_return (this->*handlers_[match.route])(asked);
}

http::Response Control::show_accepted(const Asked& asked) {
  const auto query = http::read_query<AcceptedQuery>(asked.query);
  std::string recipient = query.recipient.value_or("");
  if (const auto digits = digits_of(recipient); !digits.empty()) recipient = digits;
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(0, query.limit.value_or(Accepted::kMax)));
  http::Response response;
  response.stream = std::make_shared<AcceptedSource>(state_, std::move(recipient), limit);
  return response;
}

http::Response Control::clear_accepted(const Asked&) {
  webhooks_.clear();
  state_.accepted.clear();
  return http::no_content();
}

http::Response Control::show_journal(const Asked&) {
  json::array calls;
  for (const auto& call : state_.journal.calls())
    calls.push_back({{"method", call.method},
                     {"path", call.path},
                     {"query", call.query},
                     {"authorization", call.authorization},
                     {"body", call.body},
                     {"status", call.status}});
  return answer({{"calls", calls}});
}

http::Response Control::clear_journal(const Asked&) {
  state_.journal.clear();
  return http::no_content();
}

http::Response Control::add_fault(const Asked& asked) {
  auto given = read_control<NewFault>(asked.body);
  Fault fault;
  fault.path = std::move(given.path);
  fault.method = given.method.value_or("");
  fault.recipient = digits_of(given.recipient.value_or(""));
  if (fault.recipient.empty()) fault.recipient = given.recipient.value_or("");
  fault.times = given.times.value_or(1);
  fault.one_in = std::max<std::int64_t>(1, given.oneIn.value_or(1));
  fault.done = given.done.value_or(false);
  fault.body = given.body.value_or("");
  if (given.code) fault.body = graph_error(Refusal{*given.code, std::string(title_of(*given.code))}).body;
  if (given.error) fault.body = "{\"error\":" + given.error->text + "}";
  const auto status = given.status ? given.status->text : given.code ? "400" : "500";
  if (status == "\"lose\"") fault.done = true;
  if (status == "\"hang\"")
    fault.kind = Fault::Kind::hang;
  else if (status == "\"reset\"" || status == "\"lose\"")
    fault.kind = Fault::Kind::reset;
  else
    fault.status = static_cast<unsigned>(std::strtoul(status.c_str(), nullptr, 10));
  if (fault.kind == Fault::Kind::answer && (fault.status < 200 || fault.status > 599))
    throw http::Problem({.status = 400, .detail = "status must be from 200 to 599, \"hang\", \"reset\" or \"lose\""});
  state_.faults.add(std::move(fault));
  return http::no_content();
}

http::Response Control::clear_faults(const Asked&) {
  state_.faults.clear();
  return http::no_content();
}

http::Response Control::make_account(const Asked& asked) {
  auto given = read_control<NewAccount>(asked.body);
  http::Faults faults;
  if (!is_id(given.businessAccountId)) faults.add("/businessAccountId", "must be letters and digits");
  for (std::size_t i = 0; i < given.phoneNumbers.size(); ++i)
    if (!is_id(given.phoneNumbers[i].id))
      faults.add("/phoneNumbers/" + std::to_string(i) + "/id", "must be letters and digits");
  faults.throw_if_any();
  if (state_.number_ids.size() + given.phoneNumbers.size() > State::kMaxNumbers)
    throw http::Problem({.status = 503, .detail = "there are too many phone numbers"});
  state_.add_account(given.businessAccountId);
  for (auto& number : given.phoneNumbers)
    state_.add_number(PhoneNumber{number.id, given.businessAccountId, number.displayPhoneNumber.value_or("+1 555 0100"),
                                  number.verifiedName.value_or("Test Business"),
                                  number.codeVerificationStatus.value_or("VERIFIED"), std::nullopt});
  return http::no_content();
}

http::Response Control::show_accounts(const Asked&) {
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
