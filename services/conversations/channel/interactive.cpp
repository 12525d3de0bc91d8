#include "conversations/channel/interactive.hpp"

#include <set>
#include <string_view>

#include "common/channel/limits.hpp"
#include "conversations/channel/checks.hpp"

namespace parley::conversations::channel {

namespace {

const std::string kAt = "/messageData";

// A reply identifies the tapped element by its id, so ids must be unique.
class Ids {
 public:
  void check(const std::string& at, const std::string& id, std::size_t longest, http::Faults& faults) {
    faults.check_text(at, id, 1, longest);
    if (!seen_.insert(id).second) faults.add(at, "is given twice");
  }

 private:
  std::set<std::string> seen_;
};

void check_header(const Header& header, bool text_only, http::Faults& faults) {
  const auto at = kAt + "/header";
  if (header.type == "text")
    return faults.check_text(at + "/text", header.text.value_or(""), 1, cloud_api::kMaxHeaderLength);
  const auto& media = header.type == "image"      ? header.image
                      : header.type == "video"    ? header.video
                      : header.type == "document" ? header.document
                                                  : std::nullopt;
  if (text_only || (header.type != "image" && header.type != "video" && header.type != "document"))
    faults.add(at + "/type", text_only ? "must be text" : "must be one of text, image, video, document");
  else if (check_there(at + "/" + header.type, media, faults))
    check_media(at + "/" + header.type, *media, faults);
}

void check_buttons(const std::vector<Button>& buttons, http::Faults& faults) {
  const auto at = kAt + "/action/buttons";
  if (buttons.empty() || buttons.size() > cloud_api::kMaxButtons)
    faults.add(at, "must be 1 to " + std::to_string(cloud_api::kMaxButtons));
  Ids ids;
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    const auto button = at + "/" + std::to_string(i);
    if (buttons[i].type != "reply") faults.add(button + "/type", "must be reply");
    ids.check(button + "/reply/id", buttons[i].reply.id, cloud_api::kMaxButtonIdLength, faults);
    faults.check_text(button + "/reply/title", buttons[i].reply.title, 1, cloud_api::kMaxButtonLength);
  }
}

void check_sections(const std::vector<Section>& sections, http::Faults& faults) {
  const auto at = kAt + "/action/sections";
  if (sections.empty() || sections.size() > cloud_api::kMaxSections)
    faults.add(at, "must be 1 to " + std::to_string(cloud_api::kMaxSections));
  Ids ids;
  std::size_t count = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto section = at + "/" + std::to_string(i);
    const auto& rows = sections[i].rows;
    faults.check_text(section + "/title", sections[i].title.value_or(""), sections.size() > 1,
                      cloud_api::kMaxSectionLength);
    if (rows.empty()) faults.add(section + "/rows", "must not be empty");
    count += rows.size();
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const auto row = section + "/rows/" + std::to_string(j);
      ids.check(row + "/id", rows[j].id, cloud_api::kMaxRowIdLength, faults);
      faults.check_text(row + "/title", rows[j].title, 1, cloud_api::kMaxRowLength);
      faults.check_text(row + "/description", rows[j].description.value_or(""), 0, cloud_api::kMaxRowDescriptionLength);
    }
  }
  if (count > cloud_api::kMaxRows)
    faults.add(at, "must have at most " + std::to_string(cloud_api::kMaxRows) + " rows together");
}

void check_named(const Action& action, std::string_view name, http::Faults& faults) {
  if (action.name != name) faults.add(kAt + "/action/name", "must be " + std::string(name));
}

void check_link(const Action& action, http::Faults& faults) {
  const auto at = kAt + "/action/parameters";
  check_named(action, "cta_url", faults);
  if (!check_there(at, action.parameters, faults)) return;
  const auto url = action.parameters->url.value_or("");
  faults.check_text(at + "/display_text", action.parameters->display_text.value_or(""), 1, cloud_api::kMaxButtonLength);
  if (url.empty()) faults.add(at + "/url", "is required");
  faults.check_url(at + "/url", url);
}

}  // namespace

void check_interactive(const Interactive& content, http::Faults& faults) {
  const bool is_list = content.type == "list";
  const auto& action = content.action;
  faults.check_text(kAt + "/body/text", content.body.text, 1,
                    is_list ? cloud_api::kMaxListBodyLength : cloud_api::kMaxBodyLength);
  if (content.footer) faults.check_text(kAt + "/footer/text", content.footer->text, 1, cloud_api::kMaxFooterLength);
  if (content.header) check_header(*content.header, is_list, faults);
  if (content.type == "button") {
    if (check_there(kAt + "/action/buttons", action.buttons, faults)) check_buttons(*action.buttons, faults);
  } else if (is_list) {
    faults.check_text(kAt + "/action/button", action.button.value_or(""), 1, cloud_api::kMaxButtonLength);
    if (check_there(kAt + "/action/sections", action.sections, faults)) check_sections(*action.sections, faults);
  } else if (content.type == "cta_url") {
    check_link(action, faults);
  } else if (content.type == "location_request_message") {
    check_named(action, "send_location", faults);
  } else if (content.type == "flow") {
    check_named(action, "flow", faults);
    check_there(kAt + "/action/parameters", action.parameters, faults);
  } else {
    faults.add(kAt + "/type", "must be one of button, list, cta_url, location_request_message, flow");
  }
}

}  // namespace parley::conversations::channel
