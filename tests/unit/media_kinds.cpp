#include <doctest/doctest.h>

#include "conversations/channel/media/kinds.hpp"

namespace parley::conversations::media {
namespace {

TEST_SUITE("unit: kinds of files") {
  TEST_CASE("a file's kind is told by its media type, without its parameters") {
    REQUIRE(find_kind("image/jpeg"));
    CHECK(find_kind("IMAGE/JPEG") == find_kind("image/jpeg"));
    CHECK(find_kind("audio/ogg; codecs=opus") == find_kind("audio/ogg"));
    CHECK(find_kind("audio/ogg ;codecs=opus") == find_kind("audio/ogg"));
    CHECK_FALSE(find_kind("image/jpegs"));
    CHECK_FALSE(find_kind("image/svg+xml"));
    CHECK_FALSE(find_kind("text/html"));
    CHECK_FALSE(find_kind("application/octet-stream"));
    CHECK_FALSE(find_kind(""));
  }

  TEST_CASE("sizes are the channel's, and what browsers could run is never inert") {
    CHECK(find_kind("image/png")->most == 5 * 1024 * 1024);
    CHECK(find_kind("image/webp")->most == 500 * 1024);
    CHECK(find_kind("video/mp4")->most == 16 * 1024 * 1024);
    CHECK(find_kind("audio/mpeg")->most == 16 * 1024 * 1024);
    CHECK(find_kind("application/pdf")->most == 100 * 1024 * 1024);
    CHECK(find_kind("image/png")->inert);
    CHECK_FALSE(find_kind("application/pdf")->inert);
    CHECK_FALSE(find_kind("text/plain")->inert);
  }
}

}  // namespace
}  // namespace parley::conversations::media
