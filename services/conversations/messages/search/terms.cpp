#include "conversations/messages/search/terms.hpp"

#include <algorithm>

namespace parley::conversations::search {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kKeyLength = 12;  // as in words_of_organization() of the schema

std::vector<std::string> words_in(std::string_view folded) {
  std::vector<std::string> words;
  while (!folded.empty()) {
    const auto end = std::min(folded.find(' '), folded.size());
    words.emplace_back(folded.substr(0, end));
    folded.remove_prefix(std::min(end + 1, folded.size()));
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out.append(out.empty() ? "" : " ").append(word);
  return out;
}

std::string pattern_of(const Sought& sought) { return "% " + joined(sought.words) + (sought.is_open ? "%" : " %"); }

}  // namespace

std::vector<Term> read_terms(std::string_view search) {
  std::vector<Term> terms;
  while (!search.empty()) {
    if (kBlanks.find(search.front()) != kBlanks.npos) {
      search.remove_prefix(1);
      continue;
    }
    Term term;
    term.excluded = search.front() == '-' && search.size() > 1 && kBlanks.find(search[1]) == kBlanks.npos;
    if (term.excluded) search.remove_prefix(1);
    const bool is_quoted = search.front() == '"';
    if (is_quoted) search.remove_prefix(1);
    const auto end = is_quoted ? search.find('"') : search.find_first_of(" \t\r\n\"");
    term.text = search.substr(0, end);
    term.is_open = end == search.npos && !term.excluded;
    search.remove_prefix(end == search.npos ? search.size() : is_quoted ? end + 1 : end);
    if (!term.text.empty()) terms.push_back(std::move(term));
  }
  return terms;
}

Search Search::of(const std::vector<Term>& terms, const std::vector<std::string>& folded) {
  Search search;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    auto words = words_in(folded.at(i));
    if (words.empty()) continue;
    if (terms[i].excluded)
      search.excluded.push_back(std::move(words));
    else
      search.sought.push_back({std::move(words), terms[i].is_open});
  }
  return search;
}

// A folded word has neither a quote nor a backslash.
std::string Search::words_of(const model::Uuid& organization) const {
  const auto id = organization.text();
  const auto key = id.substr(id.size() - kKeyLength);
  std::string out;
  for (const auto& each : sought)
    for (std::size_t i = 0; i < each.words.size(); ++i) {
      out.append(out.empty() ? "'" : " & '").append(key).append(each.words[i]).append("'");
      if (each.is_open && i + 1 == each.words.size()) out += ":*";
    }
  return out;
}

std::vector<std::string> Search::patterns() const {
  std::vector<std::string> out;
  for (const auto& each : sought) out.push_back(pattern_of(each));
  return out;
}

std::vector<std::string> Search::phrases() const {
  std::vector<std::string> out;
  for (const auto& each : sought)
    if (each.words.size() > 1) out.push_back(pattern_of(each));
  return out;
}

std::vector<std::string> Search::excluded_patterns() const {
  std::vector<std::string> out;
  for (const auto& words : excluded) out.push_back("% " + joined(words) + " %");
  return out;
}

}  // namespace parley::conversations::search
