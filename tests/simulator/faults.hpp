#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::simulator {

// What goes wrong with calls to a path.
struct Fault {
  enum class Kind {
    answer,  // `status` and `body` in place of the answer
    hang,    // no answer for a minute, then the connection ends
    reset    // the connection ends without an answer
  };
  std::string path;       // without the version: /oauth/access_token; a segment `*` stands for any one
  std::string method;     // "" is any
  std::string recipient;  // only messages to them; "" is any call
  Kind kind = Kind::answer;
  bool done = false;  // the call does what it does, and only its answer goes wrong
  unsigned status = 500;
  std::string body;
  std::int64_t times = 1;   // how often it still happens
  std::int64_t one_in = 1;  // it meets the first of so many calls that it is for, and lets the others pass
  std::int64_t seen = 0;
};

class Faults {
 public:
  void add(Fault fault) { faults_.push_back(std::move(fault)); }
  void clear() { faults_.clear(); }
  // The fault that meets this call, the oldest first; counts it. `recipient` is whom a message goes to, "" when the
  // call sends none.
  std::optional<Fault> take(std::string_view method, std::string_view path, std::string_view recipient);
  bool empty() const { return faults_.empty(); }

 private:
  std::vector<Fault> faults_;
};

}  // namespace parley::simulator
