#include "common/pg/variants.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace parley::pg {
namespace {

constexpr std::size_t max_parts = 8;

struct Mark {
  enum class Kind { part, alternative, end } kind;
  std::string_view name;     // of the part
  std::size_t begin, after;  // offsets in the text
};

bool next_mark(std::string_view sql, std::size_t from, Mark& out) {
  for (auto begin = sql.find("/*", from); begin != sql.npos; begin = sql.find("/*", begin + 2)) {
    const auto close = sql.find("*/", begin);
    if (close == sql.npos) return false;
    const auto inside = sql.substr(begin + 2, close - begin - 2);
    out = {Mark::Kind::end, {}, begin, close + 2};
    if (inside == "end") return true;
    if (inside == "else") {
      out.kind = Mark::Kind::alternative;
      return true;
    }
    if (inside.starts_with("if ")) {
      out.kind = Mark::Kind::part;
      out.name = inside.substr(3);
      return true;
    }
  }
  return false;
}

std::logic_error bad_marks(std::string_view name) {
  return std::logic_error(std::string(name) + ": /*if*/, /*else*/ and /*end*/ do not match");
}

std::string expand(std::string_view name, std::string_view sql, const std::vector<std::string>& parts, unsigned set) {
  struct Block {
    bool around, chosen, alternative;
  };
  std::vector<Block> blocks;
  std::string out;
  auto wanted = [&] { return blocks.empty() || (blocks.back().around && blocks.back().chosen); };
  std::size_t at = 0;
  for (Mark mark; next_mark(sql, at, mark); at = mark.after) {
    if (wanted()) out += sql.substr(at, mark.begin - at);
    if (mark.kind == Mark::Kind::part) {
      const auto part = static_cast<unsigned>(std::ranges::find(parts, mark.name) - parts.begin());
      blocks.push_back({wanted(), (set >> part & 1U) != 0, false});
    } else if (blocks.empty()) {
      throw bad_marks(name);
    } else if (mark.kind == Mark::Kind::alternative) {
      if (std::exchange(blocks.back().alternative, true)) throw bad_marks(name);
      blocks.back().chosen = !blocks.back().chosen;
    } else {
      blocks.pop_back();
    }
  }
  if (!blocks.empty()) throw bad_marks(name);
  out += sql.substr(at);
  return out;
}

}  // namespace

AnyVariants::AnyVariants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types,
                         bool of_organization, std::size_t count) {
  std::vector<std::string> appearing;
  Mark mark;
  for (std::size_t at = 0; next_mark(sql, at, mark); at = mark.after)
    if (mark.kind == Mark::Kind::part && std::ranges::find(appearing, mark.name) == appearing.end())
      appearing.emplace_back(mark.name);
  if (appearing.size() > max_parts) throw std::logic_error(name + ": more than 8 optional parts");
  if (appearing.size() != count) throw std::logic_error(name + ": other parts than its struct has");
  parts_ = appearing;
  std::ranges::sort(parts_);
  for (unsigned set = 0; set < 1U << count; ++set) {
    std::string full_name = name;
    for (const auto& part : appearing)
      if (set >> (std::ranges::find(parts_, part) - parts_.begin()) & 1U) full_name += '+' + part;
    statements_.push_back(std::make_unique<const Statement>(std::move(full_name), expand(name, sql, parts_, set), lane,
                                                            types, Statement::Prepare::at_first_use, of_organization));
  }
}

std::vector<const Statement*> AnyVariants::all() const {
  std::vector<const Statement*> out;
  for (const auto& statement : statements_) out.push_back(statement.get());
  return out;
}

}  // namespace parley::pg
