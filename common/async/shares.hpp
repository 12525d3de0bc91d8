#pragma once
#include <cstddef>
#include <unordered_map>

namespace parley::async {

// Places that several keys share (whose work it is). Each may have as many as are free, times a weight: so who is alone
// gets half of them with a weight of 1, and those who come later less (dynamic thresholds, Choudhury and Hahne 1998).
// Of the last ones, which are reserved, each key gets one only that has none yet: so another finds a place however many
// the first few hold, and for however long. A key that is Key{} is nobody's: only what is free bounds it.
template <class Key>
class Shares {
 public:
  explicit Shares(std::size_t places) : Shares(places, 1, places / 4) {}
  Shares(std::size_t places, std::size_t weight, std::size_t reserved)
      : places_(places), weight_(weight), reserved_(reserved) {}

  bool may_take(const Key& key) const {
    if (taken_ >= places_) return false;
    const std::size_t has = of(key);
    return has == 0 || key == Key{} || (has < weight_ * free() && !only_reserved());
  }
  // None are left but the reserved ones.
  bool only_reserved() const { return free() <= reserved_; }
  void take(const Key& key) {
    ++taken_;
    ++by_key_[key];
  }
  void give_back(const Key& key) {
    --taken_;
    const auto found = by_key_.find(key);
    if (--found->second == 0) by_key_.erase(found);
  }

  std::size_t of(const Key& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? 0 : found->second;
  }
  std::size_t taken() const { return taken_; }
  std::size_t free() const { return taken_ < places_ ? places_ - taken_ : 0; }
  // Calls each(key, places) for all that have some.
  template <class Each>
  void for_each(const Each& each) const {
    for (const auto& [key, places] : by_key_) each(key, places);
  }

 private:
  std::size_t places_, weight_, reserved_, taken_ = 0;
  std::unordered_map<Key, std::size_t> by_key_;
};

// One of its places, for as long as it lives.
template <class Key>
class Slot {
 public:
  Slot(Shares<Key>& shares, const Key& key) : shares_(shares), key_(key) { shares_.take(key_); }
  ~Slot() { shares_.give_back(key_); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

 private:
  Shares<Key>& shares_;
  Key key_;
};

}  // namespace parley::async
