#include "conversations/inbox/optout/api.hpp"

#include "common/chassis/change.hpp"
#include "conversations/inbox/optout/words.hpp"

namespace parley::conversations::optout {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/conversations/opt-out", Permission::get_app_settings, &Api::find);
  routes.post("/api/conversations/opt-out", Permission::update_app_settings, &Api::update);
}

namespace {

constexpr std::size_t kMaxWords = 200;
constexpr std::size_t kMaxWordLength = 100;
constexpr std::size_t kMaxAnswerLength = 1'024;

void check_words(const std::string& pointer, const std::optional<std::vector<std::string>>& words,
                 http::Faults& faults) {
  if (!words) return;
  if (words->empty()) faults.add(pointer, "must hold a word: people must have a way");
  if (words->size() > kMaxWords) faults.add(pointer, "must hold at most " + std::to_string(kMaxWords) + " words");
  for (std::size_t i = 0; i < words->size() && i < kMaxWords; ++i) {
    const auto at = pointer + "/" + std::to_string(i);
    faults.check_text(at, (*words)[i], 1, kMaxWordLength);
    if (!(*words)[i].empty() && fold((*words)[i]).empty()) faults.add(at, "must have a letter or a digit in it");
  }
}

UpdateSettings check(UpdateSettings update) {
  http::Faults faults;
  check_words("/stopWords", update.stopWords, faults);
  check_words("/startWords", update.startWords, faults);
  if (update.stopAnswer) faults.check_text("/stopAnswer", *update.stopAnswer, 0, kMaxAnswerLength);
  if (update.startAnswer) faults.check_text("/startAnswer", *update.startAnswer, 0, kMaxAnswerLength);
  faults.throw_if_any();
  return update;
}

}  // namespace

awaitable<http::Response> Api::find(chassis::Call& call) {
  co_return http::json_response(SettingsResponse{co_await store_.find(call.organization())});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto update = check(co_await call.body<UpdateSettings>());
  const SettingsResponse answer{co_await store_.update(change, call.organization(), std::move(update))};
  co_return http::json_response(answer);
}

}  // namespace parley::conversations::optout
