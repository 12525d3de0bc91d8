#pragma once
#include <stdexcept>
#include <string>

namespace parley::http {

// No answer could be had. `sent_nothing` tells that no octet of the request reached the other side for certain.
struct Unreachable : std::runtime_error {
  enum class Why { refused, timeout, reset, overloaded, bad_answer };
  Unreachable(Why why_, const std::string& text, bool sent_nothing_)
      : std::runtime_error(text), why(why_), sent_nothing(sent_nothing_) {}
  Why why;
  bool sent_nothing;
};

}  // namespace parley::http
