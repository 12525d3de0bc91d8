#include "tests/support/tenancy.hpp"

#include <algorithm>
#include <cctype>

namespace parley::support {

namespace {

using Tokens = std::vector<std::string>;

bool is_word(const std::string& token) {
  return std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_';
}

// Words in lower case (`a.b` is one), parameters, single marks; no comments and nothing in quotes.
Tokens tokens_of(std::string_view sql) {
  Tokens out;
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    const auto rest = sql.substr(at);
    if (rest.starts_with("--")) {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (rest.starts_with("/*")) {
      at = std::min(sql.find("*/", at), sql.size() - 2) + 2;
    } else if (c == '\'' || c == '"') {
      at = std::min(sql.find(c, at + 1), sql.size() - 1) + 1;
      out.emplace_back("'");
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$') {
      std::string word;
      for (; at < sql.size() &&
             (std::isalnum(static_cast<unsigned char>(sql[at])) || sql[at] == '_' || sql[at] == '$' || sql[at] == '.');
           ++at)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(sql[at])));
      out.push_back(word);
    } else {
      if (!std::isspace(static_cast<unsigned char>(c))) out.emplace_back(1, c);
      ++at;
    }
  }
  return out;
}

bool is_keyword(const std::string& word) {
  static const std::set<std::string> words{
      "on",      "where",     "set",         "values",  "using",     "join",   "left",    "inner", "cross", "full",
      "right",   "order",     "group",       "limit",   "offset",    "for",    "select",  "union", "as",    "only",
      "lateral", "returning", "with",        "from",    "having",    "window", "and",     "or",    "not",   "do",
      "except",  "cascade",   "tablesample", "default", "intersect", "fetch",  "natural", "when"};
  return words.contains(word);
}

// A reference to a tenant's table in a statement.
struct Mention {
  std::string table, alias;
  bool inserted = false;
  std::size_t at = 0;
  bool tied = false;
};

// References follow FROM, JOIN, UPDATE, INTO, TRUNCATE, DELETE's USING, and commas in their lists.
std::vector<Mention> mentions_in(const Tokens& tokens, const std::set<std::string>& tables) {
  static const std::set<std::string> openers{"from", "join", "update", "into", "using", "truncate", "table"};
  static const std::set<std::string> closers{"where",  "on",    "set",    "group",     "order", "limit",
                                             "select", "union", "values", "returning", "for",   "having"};
  std::vector<Mention> out;
  std::vector<bool> listing{false};  // for each open parenthesis: whether a comma precedes another table
  bool expected = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token == "(") {
      listing.push_back(expected);  // FROM (list_tag lt JOIN tag t ..)
      continue;
    }
    if (token == ")") {
      if (listing.size() > 1) listing.pop_back();
      expected = false;
      continue;
    }
    if (openers.contains(token)) {
      // FOR UPDATE and DO UPDATE name no table.
      expected =
          token != "update" || i == 0 || (tokens[i - 1] != "do" && tokens[i - 1] != "for" && tokens[i - 1] != "key");
      if (token == "from" || token == "using") listing.back() = true;
      continue;
    }
    if (token == "only" || token == "lateral") continue;
    if (token == "," && listing.back()) {
      expected = true;
      continue;
    }
    if (expected && tables.contains(token)) {
      Mention mention{token, token, i > 0 && tokens[i - 1] == "into", i, false};
      auto next = i + 1;
      if (next < tokens.size() && tokens[next] == "as") ++next;
      if (next < tokens.size() && is_word(tokens[next]) && !is_keyword(tokens[next])) mention.alias = tokens[next];
      out.push_back(mention);
    }
    expected = false;
    if (closers.contains(token)) listing.back() = false;
  }
  return out;
}

// An INSERT names the column; its SELECT or parameter shows whether the value is the caller's.
bool names_column(const Tokens& tokens, std::size_t at) {
  while (at < tokens.size() && tokens[at] != "(" && tokens[at] != "select" && tokens[at] != "values") ++at;
  if (at >= tokens.size() || tokens[at] != "(") return false;
  const auto end = std::find(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end(), ")");
  return std::find(tokens.begin() + static_cast<std::ptrdiff_t>(at), end, "organization_id") != end;
}

// The token on the other side of `=`, "(" for IN, USING or a row; "" if the column is not compared.
std::string compared_with(const Tokens& tokens, std::size_t at) {
  const auto token = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : std::string(); };
  if (at >= 1 && token(at - 1) == "set") return {};
  if (token(at + 1) == "=") return token(at + 2);
  if (token(at + 1) == "in") return "(";
  if (at >= 2 && token(at - 1) == "=") return token(at - 2);
  if (at >= 1 && (token(at - 1) == "(" || token(at - 1) == ",")) {  // (organization_id, id) = / IN .., USING (..)
    auto end = at;
    while (end < tokens.size() && token(end) != ")" && token(end) != "(") ++end;
    if (token(end) == ")" && (token(end + 1) == "=" || token(end + 1) == "in")) return "(";
    auto begin = at;
    while (begin > 0 && token(begin) != "(") --begin;
    if (begin > 0 && token(begin - 1) == "using") return "(";
    if (begin > 1 && (token(begin - 1) == "=" || token(begin - 1) == "in")) return "(";
  }
  return {};
}

}  // namespace

// Tied: organization_id is compared with a parameter, a WITH, subselect or excluded, or with a tied reference's.
std::vector<std::string> untied_tables(std::string_view statement, const std::set<std::string>& tables) {
  const auto tokens = tokens_of(statement);
  auto mentions = mentions_in(tokens, tables);
  const auto qualified = [](const Mention& mention) { return mention.alias + ".organization_id"; };
  for (auto& mention : mentions)
    if (mention.inserted) mention.tied = names_column(tokens, mention.at + 1);

  // An unqualified comparison belongs to the nearest untied reference before it.
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != "organization_id" || compared_with(tokens, i).empty()) continue;
    for (auto mention = mentions.rbegin(); mention != mentions.rend(); ++mention)
      if (!mention->tied && mention->at < i) {
        mention->tied = true;
        break;
      }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& mention : mentions) {
      if (mention.tied) continue;
      for (std::size_t i = 0; i < tokens.size() && !mention.tied; ++i) {
        if (tokens[i] != qualified(mention)) continue;
        const auto other = compared_with(tokens, i);
        const auto same = [&](const Mention& m) { return qualified(m) == other; };
        const auto with = std::find_if(mentions.begin(), mentions.end(), same);
        mention.tied = !other.empty() &&
                       (with == mentions.end() || std::any_of(mentions.begin(), mentions.end(),
                                                              [&](const Mention& m) { return same(m) && m.tied; }));
        changed = changed || mention.tied;
      }
    }
  }
  std::vector<std::string> out;
  for (const auto& mention : mentions)
    if (!mention.tied) out.push_back(mention.alias + ": " + mention.table);
  return out;
}

}  // namespace parley::support
