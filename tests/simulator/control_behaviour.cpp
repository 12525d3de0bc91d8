#include <boost/describe/class.hpp>

#include "tests/simulator/control.hpp"

namespace parley::simulator {

struct NewBehaviour {
  std::optional<model::RawJson> statuses, reorder;
  std::optional<std::int64_t> failure, delayMs, repeat, batch, rate, pairMs, pairBurst, answerDelayMs, retryMs,
      mediaSeconds;
  std::optional<bool> early, serviceWindow, verifyCallbacks;
  std::optional<std::string> reply, messagingLimit, webhookUrl;
};
BOOST_DESCRIBE_STRUCT(NewBehaviour, (),
                      (statuses, failure, delayMs, reorder, repeat, batch, early, reply, rate, pairMs, pairBurst,
                       answerDelayMs, serviceWindow, verifyCallbacks, retryMs, mediaSeconds, messagingLimit,
                       webhookUrl))

namespace {

constexpr std::int64_t kReorderMs = 250;
constexpr std::int64_t kDay = 24 * 3600 * 1000;  // milliseconds

void take(http::Faults& faults, const char* name, const std::optional<std::int64_t>& given, std::int64_t least,
          std::int64_t most, std::int64_t& out) {
  if (!given) return;
  if (*given < least || *given > most)
    faults.add(std::string("/") + name, "must be from " + std::to_string(least) + " to " + std::to_string(most));
  out = *given;
}

void take_statuses(http::Faults& faults, const std::string& given, std::vector<Fate>& out) {
  if (given == "\"all\"") {
    out = {Fate::sent, Fate::delivered, Fate::read};
  } else if (given == "\"none\"") {
    out.clear();
  } else {
    model::Reader reader;
    reader.read(http::parse_body(given), out);
    for (auto& fault : reader.faults) faults.add("/statuses" + fault.pointer, fault.detail);
  }
}

std::optional<std::int64_t> read_reorder(const model::RawJson& given) {
  if (given.text == "true") return kReorderMs;
  if (given.text == "false") return 0;
  std::int64_t out = 0;
  model::Reader reader;
  reader.read(http::parse_body(given.text), out);
  return reader.faults.empty() ? out : -1;
}

}  // namespace

http::Response Control::set_behaviour(const Asked& asked) {
  const auto given = read_control<NewBehaviour>(asked.body);
  auto wanted = state_.behaviour;
  http::Faults faults;
  if (given.statuses) take_statuses(faults, given.statuses->text, wanted.statuses);
  if (given.reorder) take(faults, "reorder", read_reorder(*given.reorder), 0, kDay, wanted.reorder_ms);
  take(faults, "failure", given.failure, 0, 1'000'000, wanted.failure);
  take(faults, "delayMs", given.delayMs, 0, kDay, wanted.delay_ms);
  take(faults, "repeat", given.repeat, 1, 100, wanted.repeat);
  take(faults, "batch", given.batch, 1, 1000, wanted.batch);
  take(faults, "rate", given.rate, 0, 1'000'000, wanted.rate);
  take(faults, "pairMs", given.pairMs, 0, kDay, wanted.pair_ms);
  take(faults, "pairBurst", given.pairBurst, 1, 1000, wanted.pair_burst);
  take(faults, "answerDelayMs", given.answerDelayMs, 0, kDay, wanted.answer_delay_ms);
  take(faults, "retryMs", given.retryMs, 1, kDay, wanted.retry_ms);
  take(faults, "mediaSeconds", given.mediaSeconds, 0, kDay, wanted.media_seconds);
  wanted.early = given.early.value_or(wanted.early);
  wanted.service_window = given.serviceWindow.value_or(wanted.service_window);
  wanted.verify_callbacks = given.verifyCallbacks.value_or(wanted.verify_callbacks);
  wanted.reply = given.reply.value_or(wanted.reply);
  wanted.messaging_limit = given.messagingLimit.value_or(wanted.messaging_limit);
  wanted.webhook_url = given.webhookUrl.value_or(wanted.webhook_url);
  if (!wanted.webhook_url.empty() &&
      !http::is_upstream_url(wanted.webhook_url.substr(0, path_of_url(wanted.webhook_url))))
    faults.add("/webhookUrl", "must be an http or https URL");
  faults.throw_if_any();
  state_.behaviour = std::move(wanted);
  return show_behaviour(asked);
}

http::Response Control::show_behaviour(const Asked&) {
  const auto& now = state_.behaviour;
  NewBehaviour shown{model::RawJson{model::to_json(now.statuses)},
                     model::RawJson{std::to_string(now.reorder_ms)},
                     now.failure,
                     now.delay_ms,
                     now.repeat,
                     now.batch,
                     now.rate,
                     now.pair_ms,
                     now.pair_burst,
                     now.answer_delay_ms,
                     now.retry_ms,
                     now.media_seconds,
                     now.early,
                     now.service_window,
                     now.verify_callbacks,
                     now.reply,
                     now.messaging_limit,
                     now.webhook_url};
  return http::json_response(shown);
}

http::Response Control::reset_behaviour(const Asked&) {
  state_.behaviour = first_behaviour_;
  return http::no_content();
}

}  // namespace parley::simulator
