// What a campaign's message and the template that it names do not have in common.
#include <doctest/doctest.h>

#include "conversations/campaigns/rendering/template_check.hpp"

namespace parley::conversations::rendering {
namespace {

// The pointers of all differences, with blanks between them.
std::string compared(const std::string& message, const std::string& components) {
  const auto form =
      read_message(model::RawJson{R"({"type":"Template","template":{"name":"t","language":"de")" + message + "}}"});
  model::Fault fault;
  const auto json = model::parse(components, fault);
  REQUIRE_MESSAGE(json, components);
  std::string out;
  for (const auto& each : compare(std::get<TemplateMessage>(form), *json, "https://go.example/l/"))
    out.append(out.empty() ? "" : " ").append(each.pointer);
  return out;
}

std::string with_body(const std::string& text, const std::string& more = "") {
  return R"([{"type":"BODY","text":")" + text + R"("})" + more + "]";
}

TEST_SUITE("unit: campaigns' messages and the account's templates") {
  TEST_CASE("the body's variables, by their places and by their names") {
    CHECK(compared("", with_body("Hi")) == "");
    CHECK(compared(R"(,"parameters":{"1":"a","2":"b"})", with_body("{{1}} {{2}} {{1}}")) == "");
    CHECK(compared("", with_body("{{1}}")) == "/parameters");
    CHECK(compared(R"(,"parameters":{"1":"a","2":"b"})", with_body("{{1}}")) == "/parameters/2");
    CHECK(compared(R"(,"parameters":{"who":"a"})", with_body("{{who}}")) == "");
    CHECK(compared(R"(,"parameters":{"who":"a"})", with_body("{{1}}")) == "/parameters /parameters/who");
  }

  TEST_CASE("the header") {
    const auto header = [](const std::string& json) { return with_body("Hi", R"(,{"type":"HEADER",)" + json + "}"); };
    const std::string image = R"(,"header":{"type":"Image","id":"1"})",
                      text = R"(,"header":{"type":"Text","text":"a"})";
    CHECK(compared(image, header(R"("format":"IMAGE")")) == "");
    CHECK(compared("", header(R"("format":"IMAGE")")) == "/header");
    CHECK(compared(image, header(R"("format":"VIDEO")")) == "/header");
    CHECK(compared("", header(R"("format":"TEXT","text":"Hello")")) == "");
    CHECK(compared(text, header(R"("format":"TEXT","text":"Hello")")) == "/header");
    CHECK(compared(text, header(R"("format":"TEXT","text":"Hello {{1}}")")) == "");
    CHECK(compared(image, header(R"("format":"TEXT","text":"Hello {{1}}")")) == "/header");
    CHECK(compared(text, header(R"("format":"TEXT","text":"Hello {{who}}")")) == "/header/name");
    CHECK(compared(R"(,"header":{"type":"Text","text":"a","name":"who"})",
                   header(R"("format":"TEXT","text":"Hello {{who}}")")) == "");
    CHECK(compared(image, with_body("Hi")) == "/header");
    CHECK(compared("", header(R"("format":"LOCATION")")) == "/name");
  }

  TEST_CASE("the buttons") {
    const auto buttons = [](const std::string& json) {
      return with_body("Hi", R"(,{"type":"BUTTONS","buttons":[)" + json + "]}");
    };
    const std::string fixed = R"({"type":"URL","url":"https://a.example"})",
                      open = R"({"type":"URL","url":"https://a.example/{{1}}"})",
                      link = R"({"type":"URL","url":"https://go.example/l/{{1}}"})",
                      reply = R"({"type":"QUICK_REPLY","text":"Yes"})", code = R"({"type":"COPY_CODE"})";
    const auto given = [](const std::string& json) { return R"(,"buttons":[{"index":)" + json + "}]"; };
    CHECK(compared("", buttons(fixed + "," + reply)) == "");
    CHECK(compared("", buttons(reply + "," + open)) == "/buttons");
    CHECK(compared("", buttons(code)) == "/buttons");
    CHECK(compared(given(R"(0,"code":"SAVE")"), buttons(code)) == "");
    CHECK(compared(given(R"(0,"url":"x/{{a}}")"), buttons(open)) == "");
    CHECK(compared(given(R"(0,"url":"x")"), buttons(fixed)) == "/buttons/0");
    CHECK(compared(given(R"(0,"url":"x")"), buttons(reply)) == "/buttons/0");
    CHECK(compared(given(R"(0,"payload":"x")"), buttons(reply)) == "");
    CHECK(compared(given(R"(1,"payload":"x")"), buttons(reply)) == "/buttons/0/index");
    CHECK(compared(given(R"(0,"url":"https://b.example/c")"), buttons(link)) == "");
    CHECK(compared(given(R"(0,"url":"https://b.example/c")"), buttons(open)) == "/buttons/0/url");
  }

  TEST_CASE("what campaigns do not send, and what makes no sense") {
    CHECK(compared("", R"([{"type":"CAROUSEL"},{"type":"BODY","text":"Hi"}])") == "/name");
    CHECK(compared("", R"([1,{"type":2},{"type":"BUTTONS","buttons":[3]},{"type":"BODY"}])") == "");
    CHECK(compared("", "{}") == "");
  }
}

}  // namespace
}  // namespace parley::conversations::rendering
