#pragma once
#include <sodium/crypto_hash_sha256.h>

#include <string>

#include "common/http/message.hpp"

namespace parley::conversations::media {

using boost::asio::awaitable;

// Hashes a file while it streams (SHA-256).
class Hashed : public http::BodySource {
 public:
  explicit Hashed(http::BodySource& content) : content_(content) { crypto_hash_sha256_init(&hash_); }
  awaitable<std::string_view> next() override {
    const auto piece = co_await content_.next();
    crypto_hash_sha256_update(&hash_, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
    co_return piece;
  }
  std::string hash() {
    std::string out(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256_final(&hash_, reinterpret_cast<unsigned char*>(out.data()));
    return out;
  }

 private:
  http::BodySource& content_;
  crypto_hash_sha256_state hash_;
};

}  // namespace parley::conversations::media
