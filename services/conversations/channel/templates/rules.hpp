#pragma once
// The channel's rules for templates: what it would refuse at once, or in its review for its form.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/overview
#include "common/http/problem.hpp"
#include "conversations/channel/templates/draft.hpp"

namespace parley::conversations::templates {

// Adds a fault for each broken rule.
void check(const Draft& draft, http::Faults& faults);
// The same for the components alone: a template that is there has its name and its language.
void check_components(const Draft& draft, http::Faults& faults);

// How the variables of components, as the channel has them, are written.
ParameterFormat format_of(const model::RawJson& components);

// The components as the channel takes them.
std::string to_channel(const std::vector<DraftComponent>& components);

// Whether a template's components, as the channel has them, are made of these. What the channel adds does not count,
// nor do examples, as it turns those of media into links.
bool is_made_of(const model::RawJson& known, const std::vector<DraftComponent>& components);

}  // namespace parley::conversations::templates
