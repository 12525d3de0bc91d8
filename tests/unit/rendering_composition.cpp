// What campaigns' messages come to: each form, with whatever values, is one that the channel's adapter takes.
#include <doctest/doctest.h>

#include <boost/json/serialize.hpp>
#include <random>

#include "common/model/text.hpp"
#include "conversations/campaigns/audience/draws.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/channel/content.hpp"

namespace parley::conversations::rendering {
namespace {

using model::MessageType;
using Values = std::vector<std::optional<std::string>>;

boost::json::value parsed(const std::string& text) {
  model::Fault fault;
  auto json = model::parse(text, fault);
  REQUIRE_MESSAGE(json, text);
  return std::move(*json);
}

std::string quoted(std::string_view text) { return model::to_json(std::string(text)); }
std::string text_message(std::string_view text, std::string_view more = "") {
  return R"({"type":"Text","text":)" + quoted(text) + std::string(more) + "}";
}
std::string template_message(std::string_view more) {
  return R"({"type":"Template","template":{"name":"sale","language":"de")" + std::string(more) + "}}";
}

Composition made(const std::string& message) { return {model::RawJson{message}, {}}; }

// As long as links come to be.
void link(std::string& out, std::size_t url) {
  out += "https://go.example/l/" + std::string(15, 'a') + std::to_string(url % 10);
}

// The data of a message, and whether the adapter takes it.
std::string rendered(const Composition& composition, const Values& values, bool with_links = true) {
  const auto out = composition.render(0, values, with_links ? Composition::Link(link) : Composition::Link());
  http::Faults faults;
  channel::check_content(out.type, parsed(out.data), faults);
  CHECK_NOTHROW_MESSAGE(faults.throw_if_any(), out.data);
  CHECK_NOTHROW(
      channel::to_channel({.message_id = {}, .recipient = "+491701234567", .type = out.type, .data = out.data}));
  return out.data;
}
std::string text_of(const std::string& data) { return std::string(parsed(data).at("text").as_string()); }
std::string text_with(std::string_view text, const Values& values) {
  return text_of(rendered(made(text_message(text)), values));
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Each form that there is, with variables wherever they may be.
const std::vector<std::string> kForms{
    text_message("Hi {{name|there}}, {{city}} is on https://shop.example/a?b={{phone}} and https://shop.example/."),
    text_message("{{name}}"),
    text_message("{{name}}: {{a}} {{b}} {{c}} {{d}}",
                 R"(,"header":{"type":"Image","link":"https://shop.example/a.jpg"})"),
    text_message("", R"(,"header":{"type":"Video","id":"123"})"),
    text_message("{{name}} {{a}}", R"(,"header":{"type":"Document","id":"123","fileName":"prices \"2026\".pdf"})"),
    text_message("{{name}} https://shop.example/x", R"(,"buttons":[{"title":"Yes"},{"title":"No","id":"n\"o"}])"),
    text_message("{{a}} {{name|all}}", R"(,"header":{"type":"Document","link":"https://shop.example/a","fileName":"b"})"
                                       R"(,"buttons":[{"title":"Yes"}])"),
    text_message("{{name}}", R"(,"buttons":[{"title":"Look","url":"https://shop.example/?a={{a}}&b={{b|none}}"}])"),
    text_message("Look", R"(,"buttons":[{"title":"Look","url":"https://shop.example/"}])"),
    template_message(""),
    template_message(R"(,"parameters":{"2":"{{name|you}} {{a}}","1":"at https://shop.example/ and {{b}}"})"),
    template_message(R"(,"parameters":{"city":"{{city}}","who":"{{name|you}}"},"header":{"type":"Text","text":"{{a}}",)"
                     R"("name":"x"},"buttons":[{"index":0,"url":"orders/{{b}}"},{"index":1,"payload":"p-{{c}}"}])"),
    template_message(R"(,"header":{"type":"Document","link":"https://shop.example/a.pdf","fileName":"a.pdf"},)"
                     R"("buttons":[{"index":0,"url":"https://shop.example/sale"},{"index":3,"code":"{{d|SAVE}}"}])"),
};

// Values as contacts have them, and as nobody should.
std::string strange_value(std::mt19937& random) {
  static const std::vector<std::string> kParts{"a",
                                               "\"",
                                               "\\",
                                               "\n",
                                               "\r\n",
                                               "\t",
                                               "\x01",
                                               "\x7f",
                                               " ",
                                               "    ",
                                               "{{",
                                               "}}",
                                               "{{name}}",
                                               "https://a.example/b",
                                               "ä",
                                               "😀",
                                               "👩‍👩‍👧",
                                               "​",
                                               "\u2028",
                                               "\xC2\xA0",
                                               "%",
                                               "&",
                                               "/",
                                               "<b>",
                                               "|",
                                               "é",
                                               "漢"};
  const std::size_t lengths[]{0, 1, 3, 20, 300, 2'000};
  std::string out;
  for (auto left = lengths[random() % 6]; left > 0; --left) out += kParts[random() % kParts.size()];
  return out;
}

TEST_SUITE("unit: campaigns' messages") {
  TEST_CASE("variables have values or fallbacks, whatever blanks are around them") {
    CHECK(text_with("Hi {{name|there}}!", {"Ada"}) == "Hi Ada!");
    CHECK(text_with("Hi {{ name | you there }}!", {std::nullopt}) == "Hi you there!");
    CHECK(text_with("Hi {{name}}!", {std::nullopt}) == "Hi !");
    CHECK(text_with("Hi {{name|there}}!", {" \t "}) == "Hi there!");
    CHECK(text_with("Hi {{name|there}}{{b}}!", {}) == "Hi there!");
    CHECK(text_with("{{last name}}, {{name}}, {{last name|x}}", {"Lovelace", "Ada"}) == "Lovelace, Ada, Lovelace");
    CHECK(made(text_message("{{b}}{{name}}{{b|c}}")).variables() == std::vector<std::string>{"b", "name"});
    CHECK(text_with("a }} b { c } {d}", {}) == "a }} b { c } {d}");
  }

  TEST_CASE("nothing in a value is a variable, a link, or JSON") {
    CHECK(text_with("{{name}}", {R"("},{"text":"x)"}) == R"("},{"text":"x)");
    CHECK(text_with("{{name}} {{city}}", {"{{city}}", "{{name|x}}"}) == "{{city}} {{name|x}}");
    CHECK(text_with("Hi {{name}}", {"a\n\"b\"\\ \x01\t\x7f!"}) == "Hi a\n\"b\"\\    !");
    const auto composition = made(text_message("{{name}}"));
    CHECK(composition.urls().empty());
    CHECK(text_of(rendered(composition, {"https://shop.example"})) == "https://shop.example");
  }

  TEST_CASE("URLs become links, without the punctuation after them") {
    const auto composition =
        made(text_message("See https://a.example/x?y=1&z, (HTTP://b.example/), *https://a.example/x?y=1&z*. "
                          "http://c.example/a_(b) https://ä.example/ https://user@d.example/ http://"));
    CHECK(composition.urls() ==
          std::vector<std::string>{"https://a.example/x?y=1&z", "HTTP://b.example/", "http://c.example/a_(b)"});
    CHECK(text_of(rendered(composition, {})) ==
          "See https://go.example/l/aaaaaaaaaaaaaaa0, (https://go.example/l/aaaaaaaaaaaaaaa1), "
          "*https://go.example/l/aaaaaaaaaaaaaaa0*. https://go.example/l/aaaaaaaaaaaaaaa2 https://ä.example/ "
          "https://user@d.example/ http://");
    CHECK(
        text_of(rendered(composition, {}, false)).starts_with("See https://a.example/x?y=1&z, (HTTP://b.example/), "));
    CHECK(made(text_message("看https://a.example/b，谢谢")).urls() == std::vector<std::string>{"https://a.example/b"});
  }

  TEST_CASE("a URL with a variable in it is the recipient's own, with the value encoded") {
    const auto composition = made(text_message("https://a.example/{{city|nowhere}}/x?n={{name}} {{name}}"));
    CHECK(composition.urls().empty());
    CHECK(text_of(rendered(composition, {"Bad Köln/Süd", "a&b"})) ==
          "https://a.example/Bad%20K%C3%B6ln%2FS%C3%BCd/x?n=a%26b a&b");
    CHECK(text_of(rendered(composition, {std::string(300, 'x'), "n"})) == "https://a.example/nowhere/x?n=n n");
  }

  TEST_CASE("each form has its type and its place on the channel") {
    const auto type_of = [](const std::string& message) { return made(message).render(0, Values(9)).type; };
    CHECK(type_of(text_message("a")) == MessageType::Text);
    CHECK(rendered(made(text_message("a", R"(,"previewUrl":true)")), {}) == R"({"text":"a","previewUrl":true})");
    const std::string link = R"("link":"https://a.example/b")";
    CHECK(type_of(text_message("a", R"(,"header":{"type":"Image",)" + link + "}")) == MessageType::Image);
    CHECK(type_of(text_message("a", R"(,"header":{"type":"Video",)" + link + "}")) == MessageType::Video);
    CHECK(rendered(made(text_message("a {{name}}", R"(,"header":{"type":"Document","fileName":"f",)" + link + "}")),
                   {"b"}) == R"({"link":"https://a.example/b","caption":"a b","fileName":"f"})");
    CHECK(rendered(made(text_message("a", R"(,"header":{"type":"Document","fileName":"f",)" + link +
                                              R"(},"buttons":[{"title":"Yes"}])")),
                   {}) == R"({"type":"button","header":{"type":"document","document":{"link":"https://a.example/b",)"
                          R"("filename":"f"}},"body":{"text":"a"},"action":{"buttons":[{"type":"reply","reply":)"
                          R"({"id":"Yes","title":"Yes"}}]}})");
    CHECK(rendered(made(text_message("a", R"(,"buttons":[{"title":"Go","url":"https://a.example/"}])")), {}) ==
          R"({"type":"cta_url","body":{"text":"a"},"action":{"name":"cta_url","parameters":{"display_text":"Go",)"
          R"("url":"https://go.example/l/aaaaaaaaaaaaaaa0"}}})");
    CHECK(rendered(made(template_message("")), {}) == R"({"name":"sale","language":"de","components":[]})");
    CHECK(
        rendered(made(template_message(R"(,"parameters":{"2":"b","1":"{{name}}"},"header":{"type":"Image",)" + link +
                                       R"(},"buttons":[{"index":1,"payload":"p"},{"index":0,"url":"a/{{name}}"}])")),
                 {"A B"}) ==
        R"({"name":"sale","language":"de","components":[{"type":"header","parameters":[{"type":"image","image":)"
        R"({"link":"https://a.example/b"}}]},{"type":"body","parameters":[{"type":"text","text":"A B"},{"type":"text",)"
        R"("text":"b"}]},{"type":"button","sub_type":"quick_reply","index":"1","parameters":[{"type":"payload",)"
        R"("payload":"p"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":)"
        R"("a/A%20B"}]}]})");
    CHECK(
        rendered(made(template_message(R"(,"parameters":{"who":"x"},"buttons":[{"index":0,"url":"https://a.example/"},)"
                                       R"({"index":1,"code":"SAVE"}])")),
                 {}) ==
        R"({"name":"sale","language":"de","components":[{"type":"body","parameters":[{"type":"text",)"
        R"("parameter_name":"who","text":"x"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":)"
        R"("text","text":"aaaaaaaaaaaaaaa0"}]},{"type":"button","sub_type":"copy_code","index":"1","parameters":)"
        R"([{"type":"coupon_code","coupon_code":"SAVE"}]}]})");
  }

  TEST_CASE("a template's parameters are lines of their own") {
    const auto data =
        rendered(made(template_message(R"(,"parameters":{"1":"a\n\n {{name}}      {{b}}"})")), {"x\r\n\t y", "z"});
    CHECK(data.find(R"("a x y z")") != data.npos);
  }

  TEST_CASE("who has no value for a template, or nothing to read, is left out") {
    const auto misses = [](const std::string& message, const Values& values) {
      return made(message).misses_value(0, values);
    };
    CHECK_FALSE(misses(text_message("Hi {{name}}"), {std::nullopt}));
    CHECK(misses(text_message(" {{name}} {{b}}"), {std::nullopt, " "}));
    CHECK_FALSE(misses(text_message(" {{name}} {{b}}"), {std::nullopt, "b"}));
    CHECK_FALSE(misses(text_message("{{name}}", R"(,"header":{"type":"Image","id":"1"})"), {std::nullopt}));
    CHECK(misses(text_message("{{name}}", R"(,"buttons":[{"title":"Yes"}])"), {std::nullopt}));
    CHECK(misses(template_message(R"(,"parameters":{"1":"Hi {{name}}"})"), {std::nullopt}));
    CHECK_FALSE(misses(template_message(R"(,"parameters":{"1":"Hi {{name|you}}"})"), {std::nullopt}));
    CHECK(misses(template_message(R"(,"buttons":[{"index":0,"payload":"{{a}}"}])"), {std::string(257, 'x')}));
    const auto composition = made(text_message("{{a}} {{b|x}} {{c}} {{a}}"));
    CHECK(composition.missing(0, Values{std::nullopt, std::nullopt, "c"}) == std::vector<std::string>{"a"});
  }

  TEST_CASE("what grows too long is the values, which share the room that the words leave") {
    const auto words = std::string(4'000, 'w');
    const auto text = text_with(words + "{{a}}{{b}} the end", {repeated("ä", 300), repeated("😀", 300)});
    CHECK(model::count_characters(text) == 4'096);
    CHECK(text.starts_with(words + repeated("ä", 43) + "…" + repeated("😀", 43) + "…"));
    CHECK(text.ends_with(" the end"));
    CHECK(text_with("{{a}}", {std::string(4'096, 'a')}) == std::string(4'096, 'a'));
    CHECK(text_with("{{a}}", {std::string(16'000, 'a')}) == std::string(4'095, 'a') + "…");
    // All parameters of a template share its body's limit.
    const auto data = rendered(made(template_message(R"(,"parameters":{"1":"{{a}}","2":"{{b}}"})")),
                               {std::string(2'000, 'a'), std::string(600, 'b')});
    CHECK(data.find('"' + std::string(511, 'a') + "…\"") != data.npos);
    CHECK(data.find('"' + std::string(511, 'b') + "…\"") != data.npos);
  }

  TEST_CASE("every form with any values is what the channel's adapter takes, or misses a value") {
    std::mt19937 random(1);
    for (const auto& form : kForms) {
      CAPTURE(form);
      const auto composition = made(form);
      std::size_t sent = 0;
      for (int i = 0; i < 200; ++i) {
        Values values;
        for (std::size_t j = 0; j < composition.variables().size(); ++j)
          values.push_back(random() % 4 == 0 ? std::nullopt : std::optional(strange_value(random)));
        if (composition.misses_value(0, values)) continue;
        ++sent;
        rendered(composition, values, i % 2 == 0);
      }
      CHECK(sent > 0);
    }
  }

  TEST_CASE("variants have their shares of the recipients, each recipient of a campaign always the same") {
    const Composition composition({text_message("{{a}}")}, {{"B", 30, {text_message("{{b}} https://b.example")}},
                                                            {"C", 5, {text_message("{{a}}{{c}}")}}});
    CHECK(composition.variables() == std::vector<std::string>{"a", "b", "c"});
    CHECK(composition.draw_bounds() == std::vector<std::int64_t>{30, 35});
    std::vector<std::size_t> counts(3), both(3);
    const auto one = audience::draws_of(model::new_uuid()), other = audience::draws_of(model::new_uuid());
    for (int i = 0; i < 100'000; ++i) {
      const auto contact = model::new_uuid();
      const auto variant = composition.variant_drawn(audience::draw(one, contact));
      ++counts.at(variant);
      if (variant == composition.variant_drawn(audience::draw(other, contact))) ++both.at(variant);
    }
    CHECK(std::abs(double(counts[0]) - 65'000) < 1'000);
    CHECK(std::abs(double(counts[1]) - 30'000) < 1'000);
    CHECK(std::abs(double(counts[2]) - 5'000) < 500);
    // Who gets a variant of one campaign is no more likely to get that of another.
    CHECK(std::abs(double(both[0]) - 42'250) < 2'000);
    CHECK(std::abs(double(both[1]) - 9'000) < 1'000);
    // A campaign that goes on under a later version must not choose otherwise.
    const auto fixed = audience::draws_of(*model::Uuid::parse("01890000-0000-7000-8000-0123456789ab"));
    std::string chosen;
    for (int i = 0; i < 10; ++i) {
      const auto contact = *model::Uuid::parse("01890000-0000-7000-8000-00000000000" + std::to_string(i));
      chosen += std::to_string(composition.variant_drawn(audience::draw(fixed, contact)));
    }
    CHECK(chosen == "0000211111");
    CHECK(composition.render(1, Values{"1", "2", "3"}).data == R"({"text":"2 https://b.example"})");
    CHECK(composition.render(2, Values{"1", "2", "3"}).data == R"({"text":"13"})");
    CHECK(made(text_message("x")).variant_drawn(99) == 0);
    CHECK(made(text_message("x")).draw_bounds().empty());
  }

  TEST_CASE("the values that decide who misses one are those of which somebody without another may be skipped") {
    std::mt19937 random(2);
    const Composition both({text_message("{{a}} {{b|B}}")},
                           {{"B", 50, {template_message(R"(,"parameters":{"1":"{{c}}"})")}}});
    CHECK(both.deciding() == std::vector<std::size_t>{0, 1, 2});
    CHECK(made(text_message("Hi {{a}}")).deciding().empty());
    for (const auto& form : kForms) {
      CAPTURE(form);
      const auto composition = made(form);
      const auto deciding = composition.deciding();
      for (int i = 0; i < 100; ++i) {
        Values values, fewer;
        for (std::size_t j = 0; j < composition.variables().size(); ++j) {
          values.push_back(random() % 4 == 0 ? std::nullopt : std::optional(strange_value(random)));
          const bool decides = std::find(deciding.begin(), deciding.end(), j) != deciding.end();
          fewer.push_back(decides ? values.back() : std::nullopt);
        }
        CHECK(composition.misses_value(0, values) == composition.misses_value(0, fewer));
      }
    }
  }

  TEST_CASE("what was never checked is no composition") {
    CHECK_THROWS_AS(made("{}"), std::invalid_argument);
    CHECK_THROWS_AS(made("not json"), std::invalid_argument);
    CHECK_THROWS_AS(made(text_message("")), std::invalid_argument);
  }
}

}  // namespace
}  // namespace parley::conversations::rendering
