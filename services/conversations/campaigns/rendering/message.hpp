#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/http/problem.hpp"
#include "common/model/campaign.hpp"

namespace parley::conversations::rendering {

// A campaign's message as in the API.

enum class HeaderType { Text, Image, Video, Document };
BOOST_DESCRIBE_ENUM(HeaderType, Text, Image, Video, Document)

// Above the text: a medium, or in a template the parameter of the header text.
struct Header {
  HeaderType type = HeaderType::Image;
  std::optional<std::string> link, id, fileName;  // of a medium: its URL, or its id from POST media
  std::optional<std::string> text, name;          // of a header text; `name`: the parameter's name, if it has one
};
BOOST_DESCRIBE_STRUCT(Header, (), (type, link, id, fileName, text, name))

// Below a text: a reply button, or the one button that opens a page.
struct Button {
  std::string title;
  std::optional<std::string> id, url;
};
BOOST_DESCRIBE_STRUCT(Button, (), (title, id, url))

struct TextMessage {
  std::string text;
  std::optional<bool> previewUrl;  // of a text without header and buttons: previews its first link
  std::optional<Header> header;
  std::optional<std::vector<Button>> buttons;
};
BOOST_DESCRIBE_STRUCT(TextMessage, (), (text, previewUrl, header, buttons))

// A value for a template's button: the payload of a reply, the variable of its URL, or the code that it copies.
struct TemplateButton {
  std::int64_t index = 0;  // from 0
  std::optional<std::string> payload, url, code;
};
BOOST_DESCRIBE_STRUCT(TemplateButton, (), (index, payload, url, code))

struct Parameter {
  std::string name;  // "" for positional parameters
  std::string text;
};

struct TemplateMessage {
  std::string name, language;
  std::vector<Parameter> parameters;  // all named or all positional
  std::optional<Header> header;
  std::vector<TemplateButton> buttons;
};

using Message = std::variant<TextMessage, TemplateMessage>;

// Reads a message and checks it by the channel's limits. Adds faults below `pointer`; returns nullopt if there are any.
std::optional<Message> read_message(const boost::json::value& json, const std::string& pointer, http::Faults& faults);

// Removes members that read_message() does not know.
void keep_known(boost::json::value& message);

// Checks a message of a request's body in place and removes unknown members.
void check(model::RawJson& message, const std::string& pointer, http::Faults& faults);
// Checks variants: at most 9, with distinct names, and shares that leave some to the campaign's own message.
void check(std::vector<model::CampaignVariant>& variants, const std::string& pointer, http::Faults& faults);

std::string at_key(const std::string& pointer, std::string_view key);

// Returns the text's limit in characters.
std::size_t max_characters(const TextMessage& message);

// Reads a message that was checked on arrival. Throws std::invalid_argument.
Message read_message(const model::RawJson& message);

// Reads the variants of a campaign's row. Throws std::runtime_error.
std::vector<model::CampaignVariant> read_variants(const model::RawJson& variants);

}  // namespace parley::conversations::rendering
