#include "conversations/campaigns/audience/count.hpp"

#include <stdexcept>

#include "conversations/campaigns/rendering/text.hpp"

namespace parley::conversations::audience {

namespace {

namespace contract = contracts::contacts;
using contract::ValueKind;

// A value that is rendered, or not, as all of its kind are. See Composition.
std::optional<std::string> value_of(std::int64_t kind) {
  switch (static_cast<ValueKind>(kind)) {
    case ValueKind::unset:
      return std::nullopt;
    case ValueKind::encodable:
      return "x";
    case ValueKind::whole:
      return std::string(rendering::kWholeValue, '%');
    case ValueKind::too_long:
      return std::string(rendering::kWholeValue + 1, 'x');
  }
  throw std::runtime_error("contacts counted values of an unknown kind");
}

contract::Recipient one_of(const contract::AudienceGroup& group, const std::vector<std::size_t>& deciding,
                           std::size_t variables) {
  if (group.values.size() != deciding.size()) throw std::runtime_error("contacts counted without some values");
  contract::Recipient out;
  if (group.hasAddress) out.phone = "+";
  out.status = group.status;
  out.values.resize(variables);
  for (std::size_t i = 0; i < deciding.size(); ++i) out.values[deciding[i]] = value_of(group.values[i]);
  return out;
}

void add(SkipReasons& reasons, std::string_view reason, std::int64_t contacts) {
  boost::mp11::mp_for_each<boost::describe::describe_members<SkipReasons, boost::describe::mod_public>>(
      [&](auto member) {
        if (reason == member.name) reasons.*member.pointer += contacts;
      });
}

}  // namespace

contract::AudienceCountQuestion question_of(const model::Uuid& organization, const model::Campaign& campaign,
                                            const rendering::Composition& composition, bool has_experiment) {
  contract::AudienceCountQuestion out{.organizationId = organization,
                                      .listIds = campaign.listIds,
                                      .excludedListIds = campaign.excludedListIds,
                                      .variables = {},
                                      .wholeOctets = std::int64_t{rendering::kWholeValue},
                                      .draws = {},
                                      .bounds = {},
                                      .segmentIds = campaign.segmentIds};
  for (const auto i : composition.deciding()) out.variables.push_back(composition.variables()[i]);
  if (out.variables.empty() || composition.variant_count() == 1 || has_experiment) return out;
  out.draws = draws_of(campaign.uniqueId);
  out.bounds = composition.draw_bounds();
  return out;
}

Count count_of(const contract::AudienceCount& answer, const rendering::Composition& composition, bool has_experiment) {
  Count out;
  const auto deciding = composition.deciding();
  for (const auto& group : answer.groups) {
    out.recipients += group.contacts;
    std::optional<std::size_t> variant;
    if (!has_experiment) variant = composition.variant_drawn(group.draw);
    const auto reason = why_skipped(one_of(group, deciding, composition.variables().size()), variant, composition);
    if (!reason) {
      out.messages += group.contacts;
      continue;
    }
    out.skipped.total += group.contacts;
    add(out.skipped.byReason, *reason, group.contacts);
  }
  return out;
}

}  // namespace parley::conversations::audience
