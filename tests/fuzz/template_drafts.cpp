// Templates that clients write: what the rules let pass is written for the channel as it was given, and is found again
// in what the channel then has.
#include "common/model/text.hpp"
#include "conversations/channel/templates/rules.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations::templates;

FUZZ(template_drafts) {
  const auto draft = model::from_json<Draft>(input.rest());
  if (!draft) return;
  http::Faults faults;
  check(*draft, faults);
  const model::RawJson written{to_channel(draft->components)};
  model::Fault fault;
  MUST(model::parse(written.text, fault));
  if (refused([&] { faults.throw_if_any(); })) return;
  MUST(is_made_of(written, draft->components));
  const bool has_variables = written.text.find("{{") != written.text.npos;
  MUST(has_variables || format_of(written) == ParameterFormat::POSITIONAL);
  for (const auto& component : draft->components)
    if (component.type == "BODY" && component.text) MUST(model::count_characters(*component.text).value() <= 1024);
}
