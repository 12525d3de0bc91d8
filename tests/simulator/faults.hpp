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
    answer,  // `status` and `body` in place of what would have been done
    hang,    // no answer for a minute
    reset,   // the connection ends without an answer, nothing was done
    lose     // it is done, then the connection ends without an answer
  };
  std::string path;    // without the version: /oauth/access_token
  std::string method;  // "" is any
  Kind kind = Kind::answer;
  unsigned status = 500;
  std::string body;
  std::int64_t times = 1;  // how often it still happens
};

class Faults {
 public:
  void add(Fault fault) { faults_.push_back(std::move(fault)); }
  void clear() { faults_.clear(); }
  // The fault that meets this call, the oldest first; counts it.
  std::optional<Fault> take(std::string_view method, std::string_view path);

 private:
  std::vector<Fault> faults_;
};

}  // namespace parley::simulator
