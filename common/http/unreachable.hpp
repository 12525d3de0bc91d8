#pragma once
#include <stdexcept>
#include <string>

namespace parley::http {

// No response was received. With `sent_nothing` certainly no octet of the request reached the server.
struct Unreachable : std::runtime_error {
  enum class Why { refused, timeout, reset, overloaded, bad_answer };
  Unreachable(Why why_, const std::string& text, bool sent_nothing_)
      : std::runtime_error(text), why(why_), sent_nothing(sent_nothing_) {}
  Why why;
  bool sent_nothing;
};

}  // namespace parley::http
