#pragma once
#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace parley::async {

// Waiters for a place, each in the line of a key (the owner of its work). The lines take turns, so that a newcomer
// waits for one waiter of each other line instead of all earlier ones. Where work is charged, the line charged least
// goes first, so that a light user does not wait behind each heavy one (start-time fair queueing, Goyal, Vin and Cheng
// 1996). For one thread.
template <class Key, class Waiter>
class Turns {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t lines() const { return lines_.size(); }

  void push(const Key& key, Waiter waiter) {
    auto line = find(key);
    if (line == lines_.end()) line = lines_.insert(line, Line{key, {}});
    line->waiters.push_back(std::move(waiter));
    ++size_;
  }

  // Removes and returns the first waiter of the next line for which may(key) is true.
  template <class May>
  std::optional<Waiter> next(const May& may) {
    auto line = lines_.end();
    for (auto each = lines_.begin(); each != lines_.end(); ++each) {
      if (!may(each->key)) continue;
      if (line == lines_.end() || charged(each->key) < charged(line->key)) line = each;
      if (charged_.empty()) break;  // without charges the first line is next
    }
    if (line == lines_.end()) return std::nullopt;
    now_ = charged(line->key);
    std::erase_if(charged_, [this](const auto& each) { return each.second <= now_; });
    lines_.splice(lines_.end(), lines_, line);
    return take(line, line->waiters.begin());
  }

  // Charges `key` for its work, in any unit. Charges count only while there are waiters, and up to `most` beyond the
  // charge of the line served last, which bounds the wait of a heavy user.
  void charge(const Key& key, double cost, double most) {
    if (size_ > 0) charged_[key] = std::min(charged(key) + cost, now_ + most);
  }

  // Makes room in a full queue: removes the last waiter of the longest line. Returns nullopt if the line of `key` would
  // then be the longest: the newcomer must be refused.
  std::optional<Waiter> give_way(const Key& key) {
    const auto own = find(key);
    const std::size_t length = own == lines_.end() ? 0 : own->waiters.size();
    const auto shorter = [](const Line& a, const Line& b) { return a.waiters.size() < b.waiters.size(); };
    const auto longest = std::max_element(lines_.begin(), lines_.end(), shorter);
    if (longest == lines_.end() || longest->waiters.size() <= length + 1) return std::nullopt;
    return take(longest, std::prev(longest->waiters.end()));
  }

  template <class Is>
  std::optional<Waiter> take_first(const Is& is) {
    for (auto line = lines_.begin(); line != lines_.end(); ++line) {
      const auto found = std::find_if(line->waiters.begin(), line->waiters.end(), is);
      if (found != line->waiters.end()) return take(line, found);
    }
    return std::nullopt;
  }

  template <class Each>
  void for_each(const Each& each) const {
    for (const auto& line : lines_)
      for (const auto& waiter : line.waiters) each(waiter);
  }

 private:
  struct Line {
    Key key;
    std::list<Waiter> waiters;  // never empty
  };
  using Lines = std::list<Line>;

  typename Lines::iterator find(const Key& key) {
    return std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.key == key; });
  }
  std::optional<Waiter> take(typename Lines::iterator line, typename std::list<Waiter>::iterator waiter) {
    std::optional<Waiter> out(std::move(*waiter));
    line->waiters.erase(waiter);
    if (line->waiters.empty()) lines_.erase(line);
    if (--size_ == 0) {
      charged_.clear();
      now_ = 0;
    }
    return out;
  }
  // A new line has no credit for the time before: it starts at the charge of the line served last.
  double charged(const Key& key) const {
    const auto found = charged_.find(key);
    return found == charged_.end() ? now_ : std::max(now_, found->second);
  }

  Lines lines_;  // among equal charges the first line is next
  std::unordered_map<Key, double> charged_;
  double now_ = 0;  // the charge of the line served last
  std::size_t size_ = 0;
};

}  // namespace parley::async
