// The channel's rules for templates: what is good, and what is wrong where.
#include <doctest/doctest.h>

#include "conversations/channel/templates/rules.hpp"

using namespace parley;
using namespace parley::conversations::templates;

namespace {

// The places of the faults, in order; "" for none.
std::string faults_of(const std::string& json) {
  const auto draft = model::from_json<Draft>(json);
  REQUIRE_MESSAGE(draft, json);
  http::Faults faults;
  check(*draft, faults);
  std::string out;
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    for (const auto& fault : problem.errors) out.append(out.empty() ? "" : " ").append(fault.pointer);
  }
  return out;
}

std::string draft(const std::string& components, const std::string& more = "",
                  const std::string& category = "UTILITY") {
  return R"({"name":"order_sent","language":"en_US","category":")" + category + "\"" + more + R"(,"components":[)" +
         components + "]}";
}
const std::string kBody = R"({"type":"BODY","text":"Hello"})";
const std::string kNamed = R"(,"parameterFormat":"NAMED")";

std::string with_header(const std::string& header) { return draft(R"({"type":"HEADER",)" + header + "}," + kBody); }
std::string with_body(const std::string& body, const std::string& more = "") {
  return draft(R"({"type":"BODY",)" + body + "}", more);
}
std::string with_buttons(const std::string& buttons) {
  return draft(kBody + R"(,{"type":"BUTTONS","buttons":[)" + buttons + "]}");
}
std::string reply(const std::string& text) { return R"({"type":"QUICK_REPLY","text":")" + text + "\"}"; }
std::string url(const std::string& more, const std::string& text = "Open") {
  return R"({"type":"URL","text":")" + text + R"(","url":)" + more + "}";
}

struct Trial {
  std::string draft, faults;
};

}  // namespace

TEST_SUITE("channel: rules of templates") {
  TEST_CASE("names, languages and components") {
    for (const auto& [given, wanted] : std::vector<Trial>{
             {draft(kBody), ""},
             {R"({"name":"Order","language":"english","category":"UTILITY","components":[]})",
              "/name /language /components"},
             {R"({"name":"","language":"en_","category":"UTILITY","components":[)" + kBody + "]}", "/name /language"},
             {R"({"name":")" + std::string(513, 'a') + R"(","language":"fil","category":"MARKETING","components":[)" +
                  kBody + "]}",
              "/name"},
             {draft(kBody + "," + kBody), "/components/1/type"},
             {draft(kBody + R"(,{"type":"CAROUSEL"})"), "/components/1/type"},
             {draft(R"({"type":"FOOTER","text":"Bye"})"), "/components"},
             {draft(kBody + R"(,{"type":"FOOTER","text":"Bye {{1}}"})"), "/components/1/text"},
             {draft(kBody + R"(,{"type":"FOOTER","text":")" + std::string(61, 'a') + R"("})"), "/components/1/text"},
             {draft(kBody + R"(,{"type":"FOOTER"})"), "/components/1/text"},
             {draft(R"({"type":"BODY","text":"Hi","format":"TEXT","buttons":[],"code_expiration_minutes":5})"),
              "/components/0/format /components/0/buttons /components/0/code_expiration_minutes"},
         })
      CHECK_MESSAGE(faults_of(given) == wanted, given);
  }

  TEST_CASE("headers show a text, a file or a place") {
    for (const auto& [given, wanted] : std::vector<Trial>{
             {with_header(R"("format":"TEXT","text":"Your order")"), ""},
             {with_header(R"("format":"TEXT","text":"Order {{1}}","example":{"header_text":["1815"]})"), ""},
             {with_header(R"("format":"TEXT","text":"Order {{1}}")"), "/components/0/example/header_text"},
             {with_header(R"("format":"TEXT","text":"{{1}} {{2}}","example":{"header_text":["1","2"]})"),
              "/components/0/text"},
             {with_header(R"("format":"TEXT","text":"a\nb")"), "/components/0/text"},
             {with_header(R"("format":"TEXT","text":")" + std::string(61, 'a') + "\""), "/components/0/text"},
             {with_header(R"("format":"TEXT")"), "/components/0/text"},
             {with_header(R"("format":"IMAGE","example":{"header_handle":["4::aW"]})"), ""},
             {with_header(R"("format":"VIDEO")"), "/components/0/example/header_handle"},
             {with_header(R"("format":"DOCUMENT","text":"x","example":{"header_handle":["a","b"]})"),
              "/components/0/text /components/0/example/header_handle"},
             {with_header(R"("format":"LOCATION")"), ""},
             {with_header(R"("format":"LOCATION","example":{})"), "/components/0/example"},
             {with_header(R"("format":"AUDIO")"), "/components/0/format"},
             {with_header(R"("text":"x")"), "/components/0/format"},
         })
      CHECK_MESSAGE(faults_of(given) == wanted, given);
  }

  TEST_CASE("a body's variables stand within words, are numbered or named, and have examples") {
    const std::string text = "/components/0/text", row = "/components/0/example/body_text/0";
    const std::string named = "/components/0/example/body_text_named_params";
    std::string many, far_too_many;
    for (int n = 1; n <= 101; ++n) many += "{{" + std::to_string(n) + "}}x";
    for (int n = 1; n <= 50'000; ++n) far_too_many += "x{{a" + std::to_string(n) + "}}";
    for (const auto& [given, wanted] : std::vector<Trial>{
             {with_body("\"text\":\"Hi " + many + "\""), text},
             {with_body("\"text\":\"" + far_too_many + "\"", kNamed), text},
             {with_body(R"("text":"Hi {{1}}, {{2}} and {{1}}.","example":{"body_text":[["Ada","Bob"]]})"), ""},
             {with_body(R"("text":"Hi {{1}} there")"), row},
             {with_body(R"("text":"Hi {{1}} there","example":{"body_text":[["Ada","Bob"]]})"), row},
             {with_body(R"("text":"Hi {{1}} there","example":{"body_text":[[" "]]})"), row + "/0"},
             {with_body(R"("text":"Hi","example":{"body_text":[["Ada"]]})"), row},
             {with_body(R"("text":"{{1}} hi","example":{"body_text":[["Ada"]]})"), text},
             {with_body(R"("text":"Hi {{1}} ","example":{"body_text":[["Ada"]]})"), text},
             {with_body(R"("text":"Hi {{1}} {{2}}.","example":{"body_text":[["Ada","Bob"]]})"), text},
             {with_body(R"("text":"Hi {{2}}.","example":{"body_text":[["Ada"]]})"), text},
             {with_body(R"("text":"Hi {{name}}.","example":{"body_text":[["Ada"]]})"), text},
             {with_body(R"("text":"Hi {{ 1 }}.")"), text},
             {with_body(R"("text":"Hi {{1.")"), text},
             {with_body(R"("text":"Hi 1}}.")"), text},
             {with_body(R"("text":")" + std::string(1025, 'a') + "\""), text},
             {with_body(R"("text":" ")"), text},
             {with_body(R"("format":"TEXT")"), "/components/0/text /components/0/format"},
             {with_body(R"("text":"Hi {{name}}.","example":{"body_text_named_params":[{"param_name":"name",)"
                        R"("example":"Ada"}]})",
                        kNamed),
              ""},
             {with_body(R"("text":"Hi {{name}}.")", kNamed), named},
             {with_body(
                  R"("text":"Hi {{name}}.","example":{"body_text_named_params":[{"param_name":"nam","example":""}]})",
                  kNamed),
              named + "/0/param_name " + named + "/0/example " + named},
             {with_body(R"("text":"Hi {{1}}.","example":{"body_text_named_params":[{"param_name":"1","example":"A"}]})",
                        kNamed),
              text},
             {with_body(R"("text":"Hi {{Name}}.")", kNamed), text},
         })
      CHECK_MESSAGE(faults_of(given) == wanted, given);
  }

  TEST_CASE("buttons: how many of which, and what each needs") {
    const std::string at = "/components/1/buttons";
    std::string ten, eleven;
    for (int i = 0; i < 10; ++i) ten.append(i == 0 ? "" : ",").append(reply("Reply " + std::to_string(i)));
    eleven = ten + "," + reply("More");
    const std::string plain = R"("https://shop.example")", with_one = R"("https://shop.example/{{1}}")";
    const std::string call = R"({"type":"PHONE_NUMBER","text":"Call","phone_number":"+15550051310"})";
    const std::string code = R"({"type":"COPY_CODE","example":["250FF"]})";
    for (const auto& [given, wanted] : std::vector<Trial>{
             {with_buttons(ten), ""},
             {with_buttons(eleven), at},
             {with_buttons(""), at},
             {with_buttons(url(plain) + "," + call + "," + code + "," + reply("Yes") + "," + reply("No")), ""},
             {with_buttons(reply("Yes") + "," + url(plain) + "," + reply("No")), at},
             {with_buttons(reply("Yes") + "," + reply("Yes")), at + "/1/text"},
             {with_buttons(reply(std::string(26, 'a'))), at + "/0/text"},
             {with_buttons(reply("Hi {{1}}")), at + "/0/text"},
             {with_buttons(R"({"type":"QUICK_REPLY"})"), at + "/0/text"},
             {with_buttons(R"({"type":"FLOW","text":"Go"})"), at + "/0/type"},
             {with_buttons(R"({"type":"QUICK_REPLY","text":"Go","url":"https://a.example"})"), at + "/0/url"},
             {with_buttons(url(with_one + R"(,"example":["https://shop.example/1"])")), ""},
             {with_buttons(url(with_one)), at + "/0/example"},
             {with_buttons(url(plain + R"(,"example":["x"])")), at + "/0/example"},
             {with_buttons(url(R"("https://shop.example/{{1}}/x","example":["x"])")), at + "/0/url"},
             {with_buttons(url(R"("https://shop.example/{{2}}","example":["x"])")), at + "/0/url"},
             {with_buttons(url(R"("ftp://shop.example")")), at + "/0/url"},
             {with_buttons(url(plain, "A") + "," + url(plain, "B") + "," + url(plain, "C")), at},
             {with_buttons(call + R"(,{"type":"PHONE_NUMBER","text":"Ring","phone_number":"+15550051311"})"), at},
             {with_buttons(R"({"type":"PHONE_NUMBER","text":"Call","phone_number":"call me"})"),
              at + "/0/phone_number"},
             {with_buttons(code + "," + code), at},
             {with_buttons(R"({"type":"COPY_CODE","example":["0123456789abcdef"]})"), at + "/0/example/0"},
             {with_buttons(R"({"type":"OTP","otp_type":"COPY_CODE"})"), at + "/0/type"},
         })
      CHECK_MESSAGE(faults_of(given) == wanted, given);
  }

  TEST_CASE("of the category AUTHENTICATION the channel writes the texts") {
    const std::string otp = R"({"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE","text":"Copy"}]})";
    const std::string body = R"({"type":"BODY","add_security_recommendation":true})";
    const auto of = [](const std::string& components) { return draft(components, "", "AUTHENTICATION"); };
    for (const auto& [given, wanted] : std::vector<Trial>{
             {of(body + R"(,{"type":"FOOTER","code_expiration_minutes":10},)" + otp), ""},
             {of(body), "/components"},
             {of(kBody + "," + otp), "/components/0/text"},
             {of(body + R"(,{"type":"FOOTER","code_expiration_minutes":91},)" + otp),
              "/components/1/code_expiration_minutes"},
             {of(R"({"type":"HEADER","format":"TEXT","text":"x"},)" + body + "," + otp), "/components/0"},
             {of(body + R"(,{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"ZERO_TAP"}]})"),
              "/components/1/buttons/0/otp_type"},
             {of(body + R"(,{"type":"BUTTONS","buttons":[)" + reply("Yes") + "]}"), "/components/1/buttons/0/type"},
         })
      CHECK_MESSAGE(faults_of(given) == wanted, given);
  }

  TEST_CASE("what the channel took is told from what it did not, whatever it added") {
    const auto components = model::from_json<Draft>(
        draft(R"({"type":"HEADER","format":"IMAGE","example":{"header_handle":["4::aW"]}},{"type":"BODY","text":"Hi"},)"
              R"({"type":"BUTTONS","buttons":[{"type":"COPY_CODE","example":["250FF"]},)" +
              reply("Yes") + "]}"));
    REQUIRE(components);
    const auto is_it = [&](const std::string& known) { return is_made_of({known}, components->components); };
    const std::string header =
        R"({"type":"HEADER","format":"IMAGE","example":{"header_handle":["https://cdn.example"]}})";
    const std::string buttons =
        R"({"type":"BUTTONS","buttons":[{"type":"COPY_CODE","text":"Copy offer code"},)" + reply("Yes") + "]}";
    CHECK(is_it("[" + buttons + "," + header + R"(,{"type":"BODY","text":"Hi"}])"));
    CHECK_FALSE(is_it("[" + buttons + "," + header + R"(,{"type":"BODY","text":"Ho"}])"));
    CHECK_FALSE(is_it("[" + header + R"(,{"type":"BODY","text":"Hi"}])"));
    CHECK_FALSE(is_it("[]"));
    CHECK_FALSE(is_it("nonsense"));
    CHECK(format_of({R"([{"type":"BODY","text":"Hi {{name}}."}])"}) == ParameterFormat::NAMED);
    CHECK(format_of({R"([{"type":"BODY","text":"Hi {{1}}."}])"}) == ParameterFormat::POSITIONAL);
  }

  TEST_CASE("the channel gets what was given and nothing more, and the example of a code as a text") {
    const auto given =
        model::from_json<Draft>(draft(R"({"type":"BODY","text":"Hi {{1}}.","example":{"body_text":[["Ada"]]}},)"
                                      R"({"type":"BUTTONS","buttons":[{"type":"COPY_CODE","example":["250FF"]}]})"));
    REQUIRE(given);
    CHECK(to_channel(given->components) == R"([{"type":"BODY","text":"Hi {{1}}.","example":{"body_text":[["Ada"]]}},)"
                                           R"({"type":"BUTTONS","buttons":[{"type":"COPY_CODE","example":"250FF"}]}])");
  }
}
