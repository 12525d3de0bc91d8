#pragma once
#include <string_view>

#include "common/http/message.hpp"

namespace parley::support {

// A body that arrives in pieces of one size.
class Pieces final : public http::BodySource {
 public:
  Pieces(std::string_view text, std::size_t size) : left_(text), size_(size) {}
  http::awaitable<std::string_view> next() override {
    const auto piece = left_.substr(0, size_);
    left_.remove_prefix(piece.size());
    co_return piece;
  }

 private:
  std::string_view left_;
  std::size_t size_;
};

}  // namespace parley::support
