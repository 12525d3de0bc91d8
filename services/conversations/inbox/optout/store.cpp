#include "conversations/inbox/optout/store.hpp"

#include <algorithm>

#include "common/http/problem.hpp"
#include "conversations/inbox/optout/sql.hpp"
#include "conversations/inbox/optout/words.hpp"

namespace parley::conversations::optout {

namespace {

constexpr auto kStopAnswer = "You will get no more campaigns from us. Send START to get them again.";
constexpr auto kStartAnswer = "You will get our campaigns again. Send STOP to end them.";
// Allowance for accents, punctuation and invisible characters.
constexpr std::size_t kSlack = 4;

void check_apart(const OptOutSettings& settings) {
  const Words stop({settings.stopWords, {}, {}, {}});
  http::Faults faults;
  for (std::size_t i = 0; i < settings.startWords.size(); ++i)
    if (stop.meaning_of(settings.startWords[i]) == Words::Meaning::stop)
      faults.add("/startWords/" + std::to_string(i), "is a stop word too");
  faults.throw_if_any();
}

}  // namespace

OptOutSettings settings_of(std::optional<SettingsRow> row) {
  if (!row) return {built_in_stop_words(), built_in_start_words(), kStopAnswer, kStartAnswer};
  return {std::move(row->stop_words), std::move(row->start_words), std::move(row->stop_answer),
          std::move(row->start_answer)};
}

Words::Words(const OptOutSettings& settings) {
  const auto add = [&](const std::vector<std::string>& words, std::unordered_set<std::string>& to) {
    for (const auto& word : words) {
      to.insert(fold(word));
      longest_ = std::max(longest_, kSlack * (word.size() + kSlack));
    }
    to.erase("");
  };
  add(settings.stopWords, stop_);
  add(settings.startWords, start_);
}

Words::Meaning Words::meaning_of(std::string_view text) const {
  if (text.empty() || text.size() > longest_) return Meaning::none;
  const auto folded = fold(text);
  if (stop_.contains(folded)) return Meaning::stop;
  return start_.contains(folded) ? Meaning::start : Meaning::none;
}

awaitable<OptOutSettings> Store::find(model::Uuid organization) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization));
  co_return settings_of(results.optional<SettingsRow>());
}

awaitable<OptOutSettings> Store::update(pg::Transaction& transaction, model::Uuid organization, UpdateSettings update) {
  pg::Batch batch(sql::lock, organization);
  batch.add(sql::find, organization);
  const auto results = co_await transaction.run(std::move(batch));
  auto settings = settings_of(results.optional<SettingsRow>(1));
  if (update.stopWords) settings.stopWords = std::move(*update.stopWords);
  if (update.startWords) settings.startWords = std::move(*update.startWords);
  if (update.stopAnswer) settings.stopAnswer = std::move(*update.stopAnswer);
  if (update.startAnswer) settings.startAnswer = std::move(*update.startAnswer);
  check_apart(settings);
  co_await transaction.run(pg::Batch(sql::save, organization, settings.stopWords, settings.startWords,
                                     settings.stopAnswer, settings.startAnswer));
  co_return settings;
}

}  // namespace parley::conversations::optout
