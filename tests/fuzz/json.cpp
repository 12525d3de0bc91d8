// JSON as three kinds of people write it: what a stricter parser takes a more lenient one takes for the same, and what
// is written is read as it was.
#include "common/model/text.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

FUZZ(json) {
  const auto text = input.rest();
  model::Fault fault;
  const auto of_client = model::parse_of_client(text, fault), of_us = model::parse(text, fault);
  const auto of_stranger = model::parse_leniently(text, fault);
  if (of_client) MUST(of_us && *of_us == *of_client);
  if (of_us) MUST(of_stranger && *of_stranger == *of_us);
  if (!of_stranger) MUST(!fault.detail.empty());

  for (const auto* one : {&of_us, &of_client, &of_stranger}) {
    if (!*one) continue;
    model::RawJson written, again;
    model::Reader reader;
    reader.read(**one, written);
    MUST(reader.faults.empty());
    MUST(model::count_characters(written.text) && written.text.find('\0') == std::string::npos);
    const bool is_client = one == &of_client;
    const auto read = one == &of_stranger ? model::parse_leniently(written.text, fault)
                      : is_client         ? model::parse_of_client(written.text, fault)
                                          : model::parse(written.text, fault);
    MUST(read);
    reader.read(*read, again);
    MUST_EQUAL(written.text, again.text);
  }
}
