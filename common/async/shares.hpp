#pragma once
#include <cstddef>
#include <unordered_map>

namespace parley::async {

// Places shared by several keys (the owners of the work). Each key may hold `weight` times the free places, so with a
// weight of 1 a single key gets half of them and later ones less (dynamic thresholds, Choudhury and Hahne 1998). The
// last `reserved` places go only to keys that hold none, so a newcomer finds a place however many the others hold. The
// default key Key{} stands for no owner: only the free places bound it.
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
  template <class Each>
  void for_each(const Each& each) const {
    for (const auto& [key, places] : by_key_) each(key, places);
  }

 private:
  std::size_t places_, weight_, reserved_, taken_ = 0;
  std::unordered_map<Key, std::size_t> by_key_;
};

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
