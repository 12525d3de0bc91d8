#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

namespace parley::conversations::optout {

// A message that equals a word, ignoring case, accents and punctuation, opts its sender out of campaigns, or in again.
struct OptOutSettings {
  std::vector<std::string> stopWords;
  std::vector<std::string> startWords;
  std::string stopAnswer;  // "": no answer
  std::string startAnswer;
};
BOOST_DESCRIBE_STRUCT(OptOutSettings, (), (stopWords, startWords, stopAnswer, startAnswer))

struct SettingsResponse {
  OptOutSettings optOut;
};
BOOST_DESCRIBE_STRUCT(SettingsResponse, (), (optOut))

// The body of POST /api/conversations/opt-out: missing members stay unchanged.
struct UpdateSettings {
  model::Nullable<std::vector<std::string>> stopWords;
  model::Nullable<std::vector<std::string>> startWords;
  model::Nullable<std::string> stopAnswer;
  model::Nullable<std::string> startAnswer;
};
BOOST_DESCRIBE_STRUCT(UpdateSettings, (), (stopWords, startWords, stopAnswer, startAnswer))

struct SettingsRow {
  std::vector<std::string> stop_words, start_words;
  std::string stop_answer, start_answer;
};
BOOST_DESCRIBE_STRUCT(SettingsRow, (), (stop_words, start_words, stop_answer, start_answer))

}  // namespace parley::conversations::optout
