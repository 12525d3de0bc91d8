#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::simulator {

struct Fault {
  enum class Kind {
    answer,  // `status` and `body` replace the response
    hang,    // no response for a minute, then the connection ends
    reset    // the connection ends without a response
  };
  std::string path;       // without the version: /oauth/access_token; a segment `*` matches any
  std::string method;     // "": any
  std::string recipient;  // only for messages to this recipient; "": any call
  Kind kind = Kind::answer;
  bool done = false;  // the call takes effect, only its response is faulty
  unsigned status = 500;
  std::string body;
  std::int64_t times = 1;   // remaining occurrences
  std::int64_t one_in = 1;  // affects the first of every `one_in` matching calls
  std::int64_t seen = 0;
};

class Faults {
 public:
  void add(Fault fault) { faults_.push_back(std::move(fault)); }
  void clear() { faults_.clear(); }
  // The oldest fault that matches this call; counts the call. `recipient` is "" for calls that send no message.
  std::optional<Fault> take(std::string_view method, std::string_view path, std::string_view recipient);
  bool empty() const { return faults_.empty(); }

 private:
  std::vector<Fault> faults_;
};

}  // namespace parley::simulator
