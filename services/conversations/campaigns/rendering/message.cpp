#include "conversations/campaigns/rendering/message.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "common/channel/limits.hpp"
#include "common/http/body.hpp"
#include "common/model/keep.hpp"
#include "conversations/campaigns/rendering/text.hpp"
#include "conversations/channel/checks.hpp"

namespace parley::conversations::rendering {

namespace {

constexpr std::size_t kMaxVariables = 20;        // distinct ones per message
constexpr std::size_t kMaxParameters = 64;       // of a template
constexpr std::size_t kMaxTemplateButtons = 10;  // the channel's limit
constexpr std::size_t kMaxTemplateBodyLength = 1024;
constexpr std::size_t kMaxPayloadLength = 256;
constexpr std::size_t kMaxUrlLength = 2048;
constexpr std::size_t kMaxVariants = 9;

enum class Form { Text, Template };
BOOST_DESCRIBE_ENUM(Form, Text, Template)

struct Kind {
  Form type = Form::Text;
};
BOOST_DESCRIBE_STRUCT(Kind, (), (type))

struct KeptText : Kind, TextMessage {};
BOOST_DESCRIBE_STRUCT(KeptText, (Kind, TextMessage), ())

struct TemplateBody {
  std::string name, language;
  std::optional<model::RawJson> parameters;
  std::optional<Header> header;
  std::optional<std::vector<TemplateButton>> buttons;
};
BOOST_DESCRIBE_STRUCT(TemplateBody, (), (name, language, parameters, header, buttons))

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

std::string at_index(const std::string& pointer, std::size_t i) { return pointer + '/' + std::to_string(i); }

// Checks one message below a JSON pointer.
class Check {
 public:
  Check(std::string pointer, http::Faults& faults) : pointer_(std::move(pointer)), faults_(faults) {}

  std::optional<Message> read(const boost::json::value& json) {
    const auto kind = shape<Kind>(json, pointer_);
    if (!kind) return std::nullopt;
    if (kind->type == Form::Text) return checked(shape<TextMessage>(json, pointer_));
    const auto* body = json.as_object().if_contains("template");
    if (!body) return fail(pointer_ + "/template", "is required"), std::nullopt;
    pointer_ += "/template";
    return checked(read_template(*body));
  }

 private:
  void fail(std::string pointer, std::string detail) {
    is_good_ = false;
    faults_.add(std::move(pointer), std::move(detail));
  }
  template <class T>
  std::optional<T> shape(const boost::json::value& json, const std::string& pointer) {
    T out;
    model::Reader reader;
    reader.read(json, out);
    for (auto& fault : reader.faults) fail(pointer + fault.pointer, std::move(fault.detail));
    return reader.faults.empty() ? std::optional<T>(std::move(out)) : std::nullopt;
  }
  template <class T>
  std::optional<Message> checked(std::optional<T> message) {
    if (message) check(*message);
    if (variables_.size() > kMaxVariables)
      fail(pointer_, "has more than " + std::to_string(kMaxVariables) + " variables");
    return message && is_good_ ? std::optional<Message>(std::move(*message)) : std::nullopt;
  }

  // Checks text with variables and links. Returns its need; an empty one if the text is invalid.
  Need text(const std::string& pointer, const std::string& text, std::size_t least, std::size_t most) {
    words(pointer, text, least, 4 * most);
    std::string fault;
    const auto segments = parse_text(text, fault);
    if (!fault.empty()) return fail(pointer, fault), Need{};
    for (const auto& segment : segments)
      if (segment.kind == Segment::Kind::value) variables_.insert(segment.text);
    const auto need = need_of(segments);
    if (need.fixed + need.values > most)
      fail(pointer, "must be at most " + std::to_string(most) + " characters long, where a link counts as " +
                        std::to_string(kLinkRoom) + " or its length, a variable in a URL as " +
                        std::to_string(kWholeValue) + ", and any other as 1");
    return need;
  }
  // Checks text without parsing variables.
  void words(const std::string& pointer, const std::string& text, std::size_t least, std::size_t most) {
    http::Faults faults;
    faults.check_text(pointer, text, least, most);
    take(std::move(faults));
  }
  void plain(const std::string& pointer, const std::string& text, std::size_t least, std::size_t most) {
    words(pointer, text, least, most);
    if (text.find("{{") != text.npos) fail(pointer, "cannot have variables");
  }
  // Checks a whole URL: valid for all values of its variables, so it is also checked with them empty.
  void url(const std::string& pointer, const std::string& text) {
    std::string fault, empty, filled;
    const auto segments = parse_url(text, fault);
    std::size_t size = 0;
    for (const auto& segment : segments) {
      const bool is_value = segment.kind == Segment::Kind::value;
      if (is_value) variables_.insert(segment.text);
      if (is_value && !segment.in_url) fault = "must begin with http:// or https:// and the name of a host";
      empty += is_value ? "" : segment.text;
      filled += is_value ? "x" : segment.text;
      size += is_value ? kWholeValue : segment.text.size();
    }
    if (fault.empty() && !(is_url(empty) && is_url(filled)))
      fault = "must be an absolute http or https URL, without a user";
    if (size > kMaxUrlLength)
      fault = "must be at most " + std::to_string(kMaxUrlLength) + " octets long, where a variable counts as " +
              std::to_string(kWholeValue);
    if (!fault.empty()) fail(pointer, fault);
  }
  // Checks a template button's URL: the end of the template's URL, or a whole URL, which becomes a link.
  void url_or_its_end(const std::string& pointer, const std::string& url) {
    text(pointer, url, 1, kMaxUrlLength);
    std::string fault;
    const auto segments = parse_url(url, fault);
    const auto is_link = [](const Segment& segment) { return segment.kind == Segment::Kind::link || segment.in_url; };
    if (std::any_of(segments.begin(), segments.end(), is_link) && segments.size() > 1)
      fail(pointer, "must be the end of the template's URL, or a URL without variables, which becomes a link");
  }
  void take(http::Faults faults) {
    if (faults.empty()) return;
    is_good_ = false;
    faults_.add_below("", std::move(faults));
  }

  void check_media(const std::string& pointer, const Header& header) {
    http::Faults faults;
    channel::check_media(pointer, {header.id, header.link, {}, {}}, faults);
    take(std::move(faults));
    plain(pointer + "/link", header.link.value_or(""), 0, kMaxUrlLength);
    plain(pointer + "/fileName", header.fileName.value_or(""), 0, cloud_api::kMaxFileNameLength);
  }

  void check_buttons(const std::vector<Button>& buttons) {
    const auto at = pointer_ + "/buttons";
    const auto leads = std::count_if(buttons.begin(), buttons.end(), [](const Button& b) { return b.url.has_value(); });
    if (buttons.size() > (leads > 0 ? 1 : cloud_api::kMaxButtons))
      fail(at, "must be at most " + std::to_string(cloud_api::kMaxButtons) + " to answer with, or one with a url");
    std::set<std::string> ids;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
      const auto& button = buttons[i];
      plain(at_index(at, i) + "/title", button.title, 1, cloud_api::kMaxButtonLength);
      if (button.url) {
        url(at_index(at, i) + "/url", *button.url);
        continue;
      }
      if (button.id) plain(at_index(at, i) + "/id", *button.id, 1, cloud_api::kMaxButtonIdLength);
      if (!ids.insert(button.id.value_or(button.title)).second) fail(at_index(at, i), "has the id of one before it");
    }
  }

  void check(const TextMessage& message) {
    if (message.header && message.header->type == HeaderType::Text)
      fail(pointer_ + "/header/type", "must be one of Image, Video, Document");
    else if (message.header)
      check_media(pointer_ + "/header", *message.header);
    const bool has_buttons = message.buttons && !message.buttons->empty();
    text(pointer_ + "/text", message.text, message.header && !has_buttons ? 0 : 1, max_characters(message));
    if (has_buttons) check_buttons(*message.buttons);
  }

  std::optional<TemplateMessage> read_template(const boost::json::value& json) {
    auto body = shape<TemplateBody>(json, pointer_);
    if (!body) return std::nullopt;
    TemplateMessage message{std::move(body->name), std::move(body->language), {}, std::move(body->header), {}};
    if (body->buttons) message.buttons = std::move(*body->buttons);
    if (const auto* parameters = json.as_object().if_contains("parameters"); parameters && !parameters->is_null())
      message.parameters = read_parameters(*parameters);
    return message;
  }

  // Positional parameters if the first key is a number, {"1": .., "2": ..}; else named ones.
  std::vector<Parameter> read_parameters(const boost::json::value& json) {
    const auto at = pointer_ + "/parameters";
    const auto* object = json.if_object();
    if (!object) return fail(at, "must be an object"), std::vector<Parameter>{};
    if (object->size() > kMaxParameters) return fail(at, "has too many"), std::vector<Parameter>{};
    std::vector<Parameter> out(object->size());
    const bool by_place = !object->empty() && is_number(object->begin()->key());
    std::size_t i = 0, good = 0;
    for (const auto& member : *object) {
      const auto* text = member.value().if_string();
      const std::string key = member.key();
      if (!text || key.empty()) fail(at_key(at, key), text ? "must have a name" : "must be a string");
      std::size_t place = by_place ? 0 : ++i;
      if (by_place) std::from_chars(key.data(), key.data() + key.size(), place);
      if (place == 0 || place > out.size() || (by_place && std::to_string(place) != key))
        fail(at_key(at, key),
             "must be a number from 1 to " + std::to_string(out.size()) + ", as the first one is a number");
      else if (text && ++good)
        out[place - 1] = {by_place ? std::string() : key, std::string(*text)};
    }
    return good == out.size() ? out : std::vector<Parameter>{};
  }

  void check(const TemplateMessage& message) {
    plain(pointer_ + "/name", message.name, 1, cloud_api::kMaxTemplateNameLength);
    plain(pointer_ + "/language", message.language, 1, cloud_api::kMaxWordLength);
    if (message.header && message.header->type == HeaderType::Text)
      text(pointer_ + "/header/text", message.header->text.value_or(""), 1, cloud_api::kMaxHeaderLength);
    else if (message.header)
      check_media(pointer_ + "/header", *message.header);
    std::size_t all = 0;
    for (std::size_t i = 0; i < message.parameters.size(); ++i) {
      const auto& [name, words] = message.parameters[i];
      const auto at = at_key(pointer_ + "/parameters", name.empty() ? std::to_string(i + 1) : name);
      const auto need = text(at, words, 1, cloud_api::kMaxParameterLength);
      all += need.fixed + need.values;
    }
    if (all > kMaxTemplateBodyLength)
      fail(pointer_ + "/parameters",
           "must be at most " + std::to_string(kMaxTemplateBodyLength) + " characters long together");
    check_buttons(message.buttons);
  }

  void check_buttons(const std::vector<TemplateButton>& buttons) {
    const auto at = pointer_ + "/buttons";
    std::set<std::int64_t> indices;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
      const auto& [index, payload, url, code] = buttons[i];
      if (index < 0 || index >= std::int64_t{kMaxTemplateButtons})
        fail(at_index(at, i) + "/index", "must be from 0 to " + std::to_string(kMaxTemplateButtons - 1));
      if (!indices.insert(index).second) fail(at_index(at, i) + "/index", "is given twice");
      if (payload.has_value() + url.has_value() + code.has_value() != 1)
        fail(at_index(at, i), "needs either a payload, a url or a code");
      if (payload) text(at_index(at, i) + "/payload", *payload, 1, kMaxPayloadLength);
      if (url) url_or_its_end(at_index(at, i) + "/url", *url);
      if (code) text(at_index(at, i) + "/code", *code, 1, kMaxPayloadLength);
    }
  }

  std::string pointer_;
  http::Faults& faults_;
  std::set<std::string> variables_;
  bool is_good_ = true;
};

}  // namespace

std::string at_key(const std::string& pointer, std::string_view key) {
  auto out = pointer + '/';
  for (const char c : key) {
    if (c == '~' || c == '/')
      out += c == '~' ? "~0" : "~1";
    else
      out += c;
  }
  return out;
}

std::size_t max_characters(const TextMessage& message) {
  if (message.buttons && !message.buttons->empty()) return cloud_api::kMaxBodyLength;
  return message.header ? cloud_api::kMaxCaptionLength : cloud_api::kMaxTextLength;
}

std::optional<Message> read_message(const boost::json::value& json, const std::string& pointer, http::Faults& faults) {
  return Check(pointer, faults).read(json);
}

void keep_known(boost::json::value& message) {
  auto* object = message.if_object();
  auto* body = object ? object->if_contains("template") : nullptr;
  const auto* type = object ? object->if_contains("type") : nullptr;
  if (body && type && *type == "Template") {
    model::keep_known<TemplateBody>(*body);
    message = {{"type", *type}, {"template", std::move(*body)}};
  } else {
    model::keep_known<KeptText>(message);
  }
}

void check(model::RawJson& message, const std::string& pointer, http::Faults& faults) {
  model::Fault fault;
  auto json = model::parse(message.text, fault);
  if (!json) return faults.add(pointer, fault.detail);
  if (!read_message(*json, pointer, faults)) return;
  keep_known(*json);
  model::Reader().read(*json, message);
}

void check(std::vector<model::CampaignVariant>& variants, const std::string& pointer, http::Faults& faults) {
  if (variants.size() > kMaxVariants) faults.add(pointer, "must be at most " + std::to_string(kMaxVariants));
  std::set<std::string> names;
  std::int64_t shares = 0;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto& [name, share, message] = variants[i];
    const auto at = at_index(pointer, i);
    faults.check_text(at + "/name", name, 1, 255);
    if (!names.insert(name).second) faults.add(at + "/name", "is given twice");
    if (share < 1 || share > 99) faults.add(at + "/share", "must be from 1 to 99");
    shares += std::clamp<std::int64_t>(share, 0, 100);
    check(message, at + "/message", faults);
  }
  if (shares > 99) faults.add(pointer, "must leave a share to the campaign's own message: less than 100 together");
}

Message read_message(const model::RawJson& message) {
  model::Fault fault;
  http::Faults faults;
  const auto json = model::parse(message.text, fault);
  auto out = json ? read_message(*json, "", faults) : std::nullopt;
  if (!out) throw std::invalid_argument("a campaign's message that cannot be sent");
  return std::move(*out);
}

std::vector<model::CampaignVariant> read_variants(const model::RawJson& variants) {
  auto out = model::from_json<std::vector<model::CampaignVariant>>(variants.text);
  if (!out) throw std::runtime_error("the campaign's variants cannot be read");
  return std::move(*out);
}

}  // namespace parley::conversations::rendering
