#include "common/pg/variants.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace parley::pg {
namespace {

constexpr std::size_t max_parts = 10;

// A function-local static, because static objects of all files register here in any order.
std::vector<const AnyVariants*>& every_variants() {
  static std::vector<const AnyVariants*> all;
  return all;
}

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
                         bool of_organization, std::size_t count)
    : name_(std::move(name)), sql_(sql), lane_(lane), types_(std::move(types)), of_organization_(of_organization) {
  Mark mark;
  for (std::size_t at = 0; next_mark(sql, at, mark); at = mark.after)
    if (mark.kind == Mark::Kind::part && std::ranges::find(appearing_, mark.name) == appearing_.end())
      appearing_.emplace_back(mark.name);
  if (appearing_.size() > max_parts) throw std::logic_error(name_ + ": more than 10 optional parts");
  if (appearing_.size() != count) throw std::logic_error(name_ + ": other parts than its struct has");
  parts_ = appearing_;
  std::ranges::sort(parts_);
  expand(name_, sql_, parts_, 0);  // throws if the marks do not match
  statements_ = std::make_unique<std::atomic<const Statement*>[]>(std::size_t{1} << count);
  every_variants().push_back(this);
}

AnyVariants::~AnyVariants() {
  std::erase(every_variants(), this);
  for (std::size_t set = 0; set < std::size_t{1} << parts_.size(); ++set) delete statements_[set].load();
}

const Statement& AnyVariants::make(std::size_t set) const {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (const auto* made = statements_[set].load()) return *made;
  auto name = name_;
  for (const auto& part : appearing_)
    if (set >> (std::ranges::find(parts_, part) - parts_.begin()) & 1U) name += '+' + part;
  const auto* made = new Statement(std::move(name), expand(name_, sql_, parts_, static_cast<unsigned>(set)), lane_,
                                   types_, Statement::Kind::unlisted, of_organization_);
  statements_[set].store(made, std::memory_order_release);
  return *made;
}

std::vector<const Statement*> AnyVariants::all() const {
  std::vector<const Statement*> out;
  for (std::size_t set = 0; set < std::size_t{1} << parts_.size(); ++set) out.push_back(&combination(set));
  return out;
}

std::vector<const Statement*> statements_and_combinations() {
  std::vector<const Statement*> out(statements().begin(), statements().end());
  for (const auto* variants : every_variants()) {
    const auto all = variants->all();
    out.insert(out.end(), all.begin(), all.end());
  }
  return out;
}

}  // namespace parley::pg
