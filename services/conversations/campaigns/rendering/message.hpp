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

// ---- a campaign's message, as the API has it ------------------------------------------------------------------------

enum class HeaderType { Text, Image, Video, Document };
BOOST_DESCRIBE_ENUM(HeaderType, Text, Image, Video, Document)

// Above the text: a medium, or in a template the parameter of its headline.
struct Header {
  HeaderType type = HeaderType::Image;
  std::optional<std::string> link, id, fileName;  // of a medium: where it lies, or the id that POST media gave it
  std::optional<std::string> text, name;          // of a headline; `name`: the parameter's, where it has one
};
BOOST_DESCRIBE_STRUCT(Header, (), (type, link, id, fileName, text, name))

// Under a text: one that is tapped as an answer, or the one that opens a page.
struct Button {
  std::string title;
  std::optional<std::string> id, url;
};
BOOST_DESCRIBE_STRUCT(Button, (), (title, id, url))

struct TextMessage {
  std::string text;
  std::optional<bool> previewUrl;  // of a text that has neither header nor buttons: shows where its first link leads
  std::optional<Header> header;
  std::optional<std::vector<Button>> buttons;
};
BOOST_DESCRIBE_STRUCT(TextMessage, (), (text, previewUrl, header, buttons))

// What one of a template's buttons wants to be told: the payload that comes back with an answer, what stands for the
// variable of its URL, or the code that it copies.
struct TemplateButton {
  std::int64_t index = 0;  // from 0
  std::optional<std::string> payload, url, code;
};
BOOST_DESCRIBE_STRUCT(TemplateButton, (), (index, payload, url, code))

struct Parameter {
  std::string name;  // "" where they are told by their place
  std::string text;
};

struct TemplateMessage {
  std::string name, language;
  std::vector<Parameter> parameters;  // all with names, or all in their places
  std::optional<Header> header;
  std::vector<TemplateButton> buttons;
};

using Message = std::variant<TextMessage, TemplateMessage>;

// Reads and checks a message by the channel's limits. What is wrong is added to the faults below `pointer`; then it is
// nullopt.
std::optional<Message> read_message(const boost::json::value& json, const std::string& pointer, http::Faults& faults);

// Drops what is no part of a message as this reads it, in whose place nothing is kept.
void keep_known(boost::json::value& message);

// Checks a message of a request's body, of which nothing else is wanted yet, and leaves of it what is known.
void check(model::RawJson& message, const std::string& pointer, http::Faults& faults);
// And for variants: at most 9, whose names differ, and whose shares leave something to the campaign's own message.
void check(std::vector<model::CampaignVariant>& variants, const std::string& pointer, http::Faults& faults);

// A JSON pointer (RFC 6901) to a member.
std::string at_key(const std::string& pointer, std::string_view key);

// A text's limit in characters.
std::size_t max_characters(const TextMessage& message);

// A message that was checked when it came in. Throws std::invalid_argument.
Message read_message(const model::RawJson& message);

// A campaign's variants as its row has them. Throws std::runtime_error.
std::vector<model::CampaignVariant> read_variants(const model::RawJson& variants);

}  // namespace parley::conversations::rendering
