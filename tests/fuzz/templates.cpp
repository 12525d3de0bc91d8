// A campaign's message, its variables and a recipient's values: what is taken renders to what the channel takes, unless
// it says that a value is missing; and what stands in a value is never read.
#include "common/model/text.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/campaigns/rendering/template_check.hpp"
#include "conversations/campaigns/rendering/text.hpp"
#include "conversations/channel/content.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations;

namespace {

// The parts are the text, in their order.
void check_parts(const std::string& text) {
  for (const auto parse : {rendering::parse_text, rendering::parse_url}) {
    std::string fault;
    const auto segments = parse(text, fault);
    if (!fault.empty()) continue;
    std::size_t at = 0;
    for (const auto& segment : segments) {
      if (segment.kind == rendering::Segment::Kind::value) {
        MUST(text.compare(at, 2, "{{") == 0 && !segment.text.empty());
        at = text.find("}}", at) + 2;
        continue;
      }
      MUST(text.compare(at, segment.text.size(), segment.text) == 0);
      at += segment.text.size();
      if (segment.kind == rendering::Segment::Kind::link) MUST(rendering::is_url(segment.text));
    }
    MUST(at == text.size());
  }
}

void check_rendered(const rendering::Composition& composition, const std::vector<std::optional<std::string>>& values,
                    const rendering::Composition::Link& link) {
  const auto rendered = composition.render(0, values, link);
  model::Fault fault;
  const auto json = model::parse(rendered.data, fault);
  MUST(json);
  if (composition.misses_value(0, values)) return;
  http::Faults faults;
  channel::check_content(rendered.type, *json, faults);
  std::string wrong;
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    wrong = problem.detail + "\n" + rendered.data;
  }
  MUST_EQUAL(wrong, "");
  const auto out = channel::to_channel({{}, "+491701234567", rendered.type, rendered.data});
  MUST(model::parse(out, fault));
}

}  // namespace

// A line of JSON, then the values, a line each.
FUZZ(templates) {
  const std::string message = input.line();
  std::vector<std::string> lines;
  while (!input.empty()) lines.push_back(input.line());
  for (const auto& line : lines)
    if (model::count_characters(line)) check_parts(line);
  model::Fault fault;
  const auto json = model::parse_of_client(message, fault);
  if (!json) return;
  model::RawJson kept;
  model::Reader().read(*json, kept);
  if (refused([&] {
        http::Faults faults;
        rendering::check(kept, "/message", faults);
        faults.throw_if_any();
      }))
    return;
  const rendering::Composition composition(kept, {});
  std::vector<std::optional<std::string>> values;
  for (std::size_t i = 0; i < composition.variables().size(); ++i) {
    const auto given = i < lines.size() ? std::optional(model::repaired(lines[i])) : std::nullopt;
    values.push_back(given);
  }
  const auto link = [](std::string& out, std::size_t) { out += "https://parley.example/l/AAAAAAAAAAAAAAAA"; };
  check_rendered(composition, values, {});
  check_rendered(composition, values, link);
  check_rendered(composition, std::vector<std::optional<std::string>>(values.size(), std::string(5'000, 'x')), link);
  check_rendered(composition, {}, link);
  MUST(composition.missing(0, values).size() <= values.size());
  const auto form = rendering::read_message(kept);
  if (const auto* named = std::get_if<rendering::TemplateMessage>(&form))
    for (const auto& line : lines)
      if (const auto components = model::parse_leniently(line, fault))
        rendering::compare(*named, *components, "https://parley.example/l/");
}
