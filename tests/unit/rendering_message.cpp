// What requests may ask for as a campaign's message, and where it says that something is wrong.
#include <doctest/doctest.h>

#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::rendering {
namespace {

// The pointers of all faults, each once, with blanks between them.
std::string pointers_of(http::Faults& faults) {
  std::string out;
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    CHECK(problem.status == 400);
    for (const auto& fault : problem.errors)
      if (out.find(fault.pointer + ' ') == out.npos) out += fault.pointer + ' ';
  }
  return out.empty() ? out : out.substr(0, out.size() - 1);
}

std::string faults_of(const std::string& message) {
  http::Faults faults;
  model::RawJson json{message};
  check(json, "/message", faults);
  return pointers_of(faults);
}
std::string of_text(const std::string& more) { return faults_of(R"({"type":"Text","text":"Hi")" + more + "}"); }
std::string of_template(const std::string& more) {
  return faults_of(R"({"type":"Template","template":{"name":"sale","language":"de")" + more + "}}");
}

TEST_SUITE("unit: the messages that campaigns are given") {
  TEST_CASE("a form and its words") {
    CHECK(faults_of(R"({"type":"Text","text":"Hi {{name|there}}"})") == "");
    CHECK(faults_of(R"({"text":"Hi"})") == "/message/type");
    CHECK(faults_of(R"({"type":"Image","text":"Hi"})") == "/message/type");
    CHECK(faults_of(R"("Hi")") == "/message");
    CHECK(faults_of("nonsense") == "/message");
    CHECK(faults_of(R"({"type":"Text"})") == "/message/text");
    CHECK(faults_of(R"({"type":"Text","text":" "})") == "/message/text");
    CHECK(faults_of(R"({"type":"Text","text":")" + std::string(4'097, 'a') + R"("})") == "/message/text");
    CHECK(faults_of(R"({"type":"Text","text":")" + std::string(4'096, 'a') + R"("})") == "");
    CHECK(faults_of(R"({"type":"Template"})") == "/message/template");
    CHECK(faults_of(R"({"type":"Template","template":{"language":1}})") ==
          "/message/template/name /message/template/language");
    CHECK(of_template("") == "");
  }

  TEST_CASE("variables are closed and have names") {
    for (const auto* text : {"{{", "a {{name", "{{}}", "{{ |x}}", "{{{a}}}", "{{a{{b}}}}"}) {
      CAPTURE(text);
      CHECK(faults_of(R"({"type":"Text","text":")" + std::string(text) + R"("})") == "/message/text");
    }
    CHECK(faults_of(R"({"type":"Text","text":"{{a|)" + std::string(256, 'x') + R"(}}"})") == "/message/text");
    CHECK(faults_of(R"({"type":"Text","text":"https://a.example/{{a|)" + std::string(90, '/') + R"(}}"})") ==
          "/message/text");
    std::string many;
    for (int i = 0; i < 21; ++i) many += "{{v" + std::to_string(i) + "}}";
    CHECK(faults_of(R"({"type":"Text","text":")" + many + R"("})") == "/message");
  }

  TEST_CASE("room is left for what stands in for links and variables") {
    const auto text = [](std::size_t words, const std::string& more) {
      return faults_of(R"({"type":"Text","text":")" + std::string(words, 'a') + more + R"("})");
    };
    CHECK(text(4'096 - 129, " https://a.example") == "");
    CHECK(text(4'097 - 129, " https://a.example") == "/message/text");
    CHECK(text(4'095, "{{name}}") == "");
    CHECK(text(4'096, "{{name}}") == "/message/text");
    CHECK(text(4'096 - 275, " https://a.example/{{name}}") == "");
    CHECK(text(4'097 - 275, " https://a.example/{{name}}") == "/message/text");
  }

  TEST_CASE("a text's header is a medium") {
    CHECK(of_text(R"(,"header":{"type":"Image","link":"https://a.example/b.jpg"})") == "");
    CHECK(of_text(R"(,"header":{"type":"Video","id":"1"})") == "");
    CHECK(of_text(R"(,"header":{"type":"Audio","id":"1"})") == "/message/header/type");
    CHECK(of_text(R"(,"header":{"type":"Text","text":"a"})") == "/message/header/type");
    CHECK(of_text(R"(,"header":{"type":"Image"})") == "/message/header");
    CHECK(of_text(R"(,"header":{"type":"Image","id":"1","link":"https://a.example"})") == "/message/header");
    CHECK(of_text(R"(,"header":{"type":"Image","link":"ftp://a.example"})") == "/message/header/link");
    CHECK(of_text(R"(,"header":{"type":"Document","id":"1","fileName":"{{name}}"})") == "/message/header/fileName");
    CHECK(faults_of(R"({"type":"Text","text":"","header":{"type":"Image","id":"1"}})") == "");
    CHECK(faults_of(R"({"type":"Text","text":"","header":{"type":"Image","id":"1"},"buttons":[{"title":"a"}]})") ==
          "/message/text");
    CHECK(faults_of(R"({"type":"Text","text":")" + std::string(1'025, 'a') +
                    R"(","header":{"type":"Image","id":"1"}})") == "/message/text");
  }

  TEST_CASE("buttons are three answers at most, or one page") {
    CHECK(of_text(R"(,"buttons":[{"title":"a"},{"title":"b"},{"title":"c","id":"x"}])") == "");
    CHECK(of_text(R"(,"buttons":[])") == "");
    CHECK(of_text(R"(,"buttons":[{"title":"a"},{"title":"b"},{"title":"c"},{"title":"d"}])") == "/message/buttons");
    CHECK(of_text(R"(,"buttons":[{"title":"a"},{"title":"a"}])") == "/message/buttons/1");
    CHECK(of_text(R"(,"buttons":[{"id":"a"}])") == "/message/buttons/0/title");
    CHECK(of_text(R"(,"buttons":[{"title":"aaaaaaaaaaaaaaaaaaaaa"}])") == "/message/buttons/0/title");
    CHECK(of_text(R"(,"buttons":[{"title":"{{name}}"}])") == "/message/buttons/0/title");
    CHECK(of_text(R"(,"buttons":[{"title":"a","url":"https://a.example/{{b}}"}])") == "");
    CHECK(of_text(R"(,"buttons":[{"title":"a","url":"https://a.example"},{"title":"b"}])") == "/message/buttons");
    for (const auto* url :
         {"", "a.example", "{{a}}", "https://{{a}}", "https://a.example/b c", "https://a@b.example"}) {
      CAPTURE(url);
      CHECK(of_text(R"(,"buttons":[{"title":"a","url":")" + std::string(url) + R"("}])") == "/message/buttons/0/url");
    }
  }

  TEST_CASE("a template's parameters are in their places, or have names") {
    CHECK(of_template(R"(,"parameters":{"2":"b","1":"{{a}}"})") == "");
    CHECK(of_template(R"(,"parameters":{"a/b":"x","who":"{{name}}"})") == "");
    CHECK(of_template(R"(,"parameters":["a"])") == "/message/template/parameters");
    CHECK(of_template(R"(,"parameters":{"1":"a","3":"b"})") == "/message/template/parameters/3");
    CHECK(of_template(R"(,"parameters":{"1":"a","02":"b"})") == "/message/template/parameters/02");
    CHECK(of_template(R"(,"parameters":{"1":"a","who":"b"})") == "/message/template/parameters/who");
    CHECK(of_template(R"(,"parameters":{"a/b":1})") == "/message/template/parameters/a~1b");
    CHECK(of_template(R"(,"parameters":{"1":" "})") == "/message/template/parameters/1");
    CHECK(of_template(R"(,"parameters":{"1":")" + std::string(1'025, 'a') + R"("})") ==
          "/message/template/parameters/1 /message/template/parameters");
    CHECK(of_template(R"(,"parameters":{"1":")" + std::string(600, 'a') + R"(","2":")" + std::string(600, 'a') +
                      R"("})") == "/message/template/parameters");
  }

  TEST_CASE("a template's header and buttons") {
    CHECK(of_template(R"(,"header":{"type":"Text","text":"{{name}}"})") == "");
    CHECK(of_template(R"(,"header":{"type":"Text"})") == "/message/template/header/text");
    CHECK(of_template(R"(,"header":{"type":"Image"})") == "/message/template/header");
    const auto button = [](const std::string& json) { return of_template(R"(,"buttons":[)" + json + "]"); };
    CHECK(button(R"({"index":0,"payload":"p"},{"index":1,"url":"a/{{b}}"},{"index":2,"code":"c"})") == "");
    CHECK(button(R"({"index":0,"url":"https://a.example/b"})") == "");
    CHECK(button(R"({"index":0,"url":"https://a.example/{{b}}"})") == "/message/template/buttons/0/url");
    CHECK(button(R"({"index":0,"url":"see https://a.example"})") == "/message/template/buttons/0/url");
    CHECK(button(R"({"index":10,"payload":"p"})") == "/message/template/buttons/0/index");
    CHECK(button(R"({"index":0,"payload":"p"},{"index":0,"payload":"p"})") == "/message/template/buttons/1/index");
    CHECK(button(R"({"index":0})") == "/message/template/buttons/0");
    CHECK(button(R"({"index":0,"payload":"p","url":"u"})") == "/message/template/buttons/0");
  }

  TEST_CASE("variants leave a share to the campaign's own message") {
    const auto of = [](std::vector<model::CampaignVariant> variants) {
      http::Faults faults;
      check(variants, "/variants", faults);
      return pointers_of(faults);
    };
    const model::RawJson good{R"({"type":"Text","text":"Hi"})"};
    CHECK(of({}) == "");
    CHECK(of({{"B", 50, good}, {"C", 49, good}}) == "");
    CHECK(of({{"B", 50, good}, {"C", 50, good}}) == "/variants");
    CHECK(of({{"B", 0, good}, {"B", 1, good}}) == "/variants/0/share /variants/1/name");
    CHECK(of({{"", 1, {R"({"type":"Text","text":""})"}}}) == "/variants/0/name /variants/0/message/text");
    CHECK(of({10, {"B", 1, good}}).starts_with("/variants "));
  }
}

}  // namespace
}  // namespace parley::conversations::rendering
