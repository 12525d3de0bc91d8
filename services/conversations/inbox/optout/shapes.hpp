#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

namespace parley::conversations::optout {

// A message that is one of these words, without regard to case, accents and punctuation around it, opts its sender out
// of campaigns, or in again, and is answered so.
struct OptOutSettings {
  std::vector<std::string> stopWords;
  std::vector<std::string> startWords;
  std::string stopAnswer;  // "" answers nothing
  std::string startAnswer;
};
BOOST_DESCRIBE_STRUCT(OptOutSettings, (), (stopWords, startWords, stopAnswer, startAnswer))

struct SettingsResponse {
  OptOutSettings optOut;
};
BOOST_DESCRIBE_STRUCT(SettingsResponse, (), (optOut))

// The body of POST /api/conversations/opt-out: what is left out stays.
struct UpdateSettings {
  std::optional<std::vector<std::string>> stopWords;
  std::optional<std::vector<std::string>> startWords;
  std::optional<std::string> stopAnswer;
  std::optional<std::string> startAnswer;
};
BOOST_DESCRIBE_STRUCT(UpdateSettings, (), (stopWords, startWords, stopAnswer, startAnswer))

// A row of opt_out_settings.
struct SettingsRow {
  std::vector<std::string> stop_words, start_words;
  std::string stop_answer, start_answer;
};
BOOST_DESCRIBE_STRUCT(SettingsRow, (), (stop_words, start_words, stop_answer, start_answer))

}  // namespace parley::conversations::optout
