#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::conversations::optout {

// Drops case, accents, invisible characters, extra spaces, and punctuation at the ends: "¡Stop!" is "STOP".
std::string fold(std::string_view text);

// The words of the most common languages, for organizations that set none.
const std::vector<std::string>& built_in_stop_words();
const std::vector<std::string>& built_in_start_words();

}  // namespace parley::conversations::optout
