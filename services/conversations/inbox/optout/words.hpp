#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::conversations::optout {

// The text as words are compared: without case, accents and invisible characters, one space between words, no space and
// punctuation around them. "¡Stop!" and "STOP" are the same.
std::string fold(std::string_view text);

// What opts out and in by itself in the languages that most people write, for organizations that chose no words of
// their own.
const std::vector<std::string>& built_in_stop_words();
const std::vector<std::string>& built_in_start_words();

}  // namespace parley::conversations::optout
