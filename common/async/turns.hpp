#pragma once
#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace parley::async {

// Those who wait for a place, each in the line of a key (whose work it is): the lines take turns, so that whoever comes
// waits for one of each other line and not for all who came before. Where their work is charged, the line goes first
// that has been charged least: so who asks for little does not wait for a turn of each that asks for much (start-time
// fair queueing, Goyal, Vin and Cheng 1996). Not for several threads.
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

  // The first of the line whose turn it is among those that `may(key)` pass; nothing when none of them may.
  template <class May>
  std::optional<Waiter> next(const May& may) {
    auto line = lines_.end();
    for (auto each = lines_.begin(); each != lines_.end(); ++each) {
      if (!may(each->key)) continue;
      if (line == lines_.end() || charged(each->key) < charged(line->key)) line = each;
      if (charged_.empty()) break;  // nobody has less than the first
    }
    if (line == lines_.end()) return std::nullopt;
    now_ = charged(line->key);
    std::erase_if(charged_, [this](const auto& each) { return each.second <= now_; });
    lines_.splice(lines_.end(), lines_, line);
    return take(line, line->waiters.begin());
  }

  // What the work of `key` has cost, in any unit. It counts for as long as somebody waits, and up to `most` beyond what
  // the line had been charged that was served last: or who works much would wait for longer than anybody is patient.
  void charge(const Key& key, double cost, double most) {
    if (size_ > 0) charged_[key] = std::min(charged(key) + cost, now_ + most);
  }

  // Makes room for another of `key` where nobody more can wait: takes out the last of the longest line. Nothing when
  // the key's own line would then be the longest: then it is the one who has to go.
  std::optional<Waiter> give_way(const Key& key) {
    const auto own = find(key);
    const std::size_t length = own == lines_.end() ? 0 : own->waiters.size();
    const auto shorter = [](const Line& a, const Line& b) { return a.waiters.size() < b.waiters.size(); };
    const auto longest = std::max_element(lines_.begin(), lines_.end(), shorter);
    if (longest == lines_.end() || longest->waiters.size() <= length + 1) return std::nullopt;
    return take(longest, std::prev(longest->waiters.end()));
  }

  // Takes out the first waiter that `is` says, wherever it waits.
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
    std::list<Waiter> waiters;  // never none
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
  // Who comes has no credit for the time before: it begins with what the one had that was served last.
  double charged(const Key& key) const {
    const auto found = charged_.find(key);
    return found == charged_.end() ? now_ : std::max(now_, found->second);
  }

  Lines lines_;  // of those charged the same the first one's turn is next
  std::unordered_map<Key, double> charged_;
  double now_ = 0;  // what the line had been charged that was served last
  std::size_t size_ = 0;
};

}  // namespace parley::async
