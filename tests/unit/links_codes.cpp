// Links' codes, who follows them, and where they lead.
#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "conversations/campaigns/links/api.hpp"
#include "conversations/campaigns/links/code.hpp"
#include "conversations/campaigns/links/visitors.hpp"

using namespace parley;
using namespace parley::conversations::links;

namespace {

std::string secret_of(unsigned char first) {
  std::string out;
  for (unsigned char i = 0; i < 16; ++i) out += static_cast<char>(first + i);
  return out;
}

bool is_preview_by(std::vector<http::Field> fields, http::Method method = http::Method::get) {
  http::Request request;
  request.method = method;
  request.fields = fields;
  return is_preview(request);
}

}  // namespace

TEST_SUITE("links") {
  TEST_CASE("a code is the URL's number, the ordinal and SipHash-2-4 of both") {
    // The vector of SipHash's authors for the octets 0 to 6 and the key 0 to 15: 37 d1 01 8b f5 00 02 ab.
    const auto text = code_of(0x00010203, 0x040506, secret_of(0));
    CHECK_EQ(text, "AAECAwQFBjfRAYv1");
    const auto code = read_code(text);
    REQUIRE(code.has_value());
    CHECK_EQ(code->url_id(), 0x00010203);
    CHECK_EQ(code->ordinal(), 0x040506);
    CHECK(code->matches(secret_of(0)));
    CHECK_FALSE(code->matches(secret_of(1)));
  }

  TEST_CASE("every number that has room comes back, another is refused or counts nobody") {
    for (const std::int64_t id :
         {std::int64_t{1}, std::int64_t{255}, std::int64_t{65'536}, (std::int64_t{1} << 32) - 1})
      for (const int ordinal : {0, 1, 255, 65'536, (1 << 24) - 1}) {
        const auto code = read_code(code_of(id, ordinal, secret_of(9)));
        REQUIRE(code.has_value());
        CHECK_EQ(code->url_id(), id);
        CHECK_EQ(code->ordinal(), ordinal);
        CHECK(code->matches(secret_of(9)));
      }
    CHECK_EQ(code_of(7, 1 << 24, secret_of(9)), code_of(7, 0, secret_of(9)));
    CHECK_EQ(code_of(7, -1, secret_of(9)), code_of(7, 0, secret_of(9)));
    for (const std::int64_t id : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 32})
      CHECK_THROWS_AS(code_of(id, 1, secret_of(9)), std::out_of_range);
    CHECK_THROWS_AS(code_of(1, 1, "short"), std::invalid_argument);
  }

  TEST_CASE("nothing but a code is read, and nothing but the right one fits") {
    for (const std::string text : {"", "AAECAwQFBjfRAYv", "AAECAwQFBjfRAYv1A", "AAECAwQFBjfRAYv=", "AAECAwQFBjfR+Yv1",
                                   "AAECAwQFBjfR/Yv1", "AAECAwQFBjfR Yv1", "%41AECAwQFBjfRAY"})
      CHECK_FALSE(read_code(text).has_value());
    CHECK_FALSE(read_code(std::string_view("AAECAwQFBjfR\0Yv1", 16)).has_value());
    for (int octet = 0; octet < 256; ++octet) {  // one spelling each
      const std::string text = std::string("AAECAwQFBjfR") + static_cast<char>(octet) + "Yv1";
      if (const auto code = read_code(text)) CHECK_EQ(code->text(), text);
    }
    const auto text = code_of(0x00010203, 0x040506, secret_of(0));
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (std::size_t place = 0; place < text.size(); ++place)
      for (const char letter : letters) {
        auto guess = text;
        guess[place] = letter;
        const auto code = read_code(guess);
        REQUIRE(code.has_value());
        CHECK_EQ(code->matches(secret_of(0)), guess == text);
      }
    std::mt19937 random(20260131);
    for (int i = 0; i < 100'000; ++i) {
      auto guess = text;
      for (std::size_t place = 10; place < 16; ++place) guess[place] = letters[random() % 64];
      if (guess != text) CHECK_FALSE(read_code(guess)->matches(secret_of(0)));
    }
  }

  TEST_CASE("previews and robots are told from people") {
    for (const auto* agent :
         {"WhatsApp/2.23.20.0", "WhatsApp/2.2413.51 W",
          "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit)",
          "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "TelegramBot (like TwitterBot)",
          "Twitterbot/1.0", "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
          "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
          "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)",
          "Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5", "AhrefsBot", "some-crawler (spider)",
          "Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"})
      CHECK_MESSAGE(is_preview_by({{"User-Agent", agent}}), agent);
    for (const auto* agent :
         {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.4 Mobile/15E148 Safari/604.1",
          "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36",
          "Mozilla/5.0 (Linux; Android 9; CUBOT_X18) AppleWebKit/537.36 Chrome/100.0 Mobile Safari/537.36",
          "Mozilla/5.0 (iPhone) Mobile/15E148 [FBAN/FBIOS;FBAV/460.0]", "Mozilla/5.0 (X11) Bottle Firefox/125.0", ""})
      CHECK_FALSE_MESSAGE(is_preview_by({{"User-Agent", agent}}), agent);
    CHECK_FALSE(is_preview_by({}));
    CHECK(is_preview_by({}, http::Method::head));
    CHECK(is_preview_by({{"Sec-Purpose", "prefetch;prerender"}}));
    CHECK(is_preview_by({{"Purpose", "prefetch"}}));
    CHECK_FALSE(is_preview_by({{"Sec-Purpose", "navigate"}}));
  }

  TEST_CASE("a location is a header field's value whatever the URL is") {
    CHECK_EQ(location_of("https://example.com/a?b=c%20d&e=%C3%BC#f"), "https://example.com/a?b=c%20d&e=%C3%BC#f");
    CHECK_EQ(location_of("https://example.com/\xC3\xBC b"), "https://example.com/%C3%BC%20b");
    CHECK_EQ(location_of("https://example.com/\r\nSet-Cookie: a=b"), "https://example.com/%0D%0ASet-Cookie:%20a=b");
    CHECK_EQ(location_of("https://example.com/{a}<b>\"\\^`|"), "https://example.com/%7Ba%7D%3Cb%3E%22%5C%5E%60%7C");
  }
}
