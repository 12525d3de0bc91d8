#pragma once
// A template as a client writes it: its components are in the channel's format, which listings have, too.
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::conversations::templates {

enum class Category { MARKETING, UTILITY, AUTHENTICATION };
BOOST_DESCRIBE_ENUM(Category, MARKETING, UTILITY, AUTHENTICATION)

// How variables are written: {{1}}, or {{first_name}}.
enum class ParameterFormat { POSITIONAL, NAMED };
BOOST_DESCRIBE_ENUM(ParameterFormat, POSITIONAL, NAMED)

struct NamedExample {
  std::string param_name, example;
};
BOOST_DESCRIBE_STRUCT(NamedExample, (), (param_name, example))

struct Examples {
  std::optional<std::vector<std::string>> header_text, header_handle;
  std::optional<std::vector<NamedExample>> header_text_named_params;
  std::optional<std::vector<std::vector<std::string>>> body_text;  // a row for all variables
  std::optional<std::vector<NamedExample>> body_text_named_params;
};
BOOST_DESCRIBE_STRUCT(Examples, (),
                      (header_text, header_handle, header_text_named_params, body_text, body_text_named_params))

struct DraftButton {
  std::string type;  // QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, OTP
  std::optional<std::string> text, url, phone_number, otp_type;
  std::optional<std::vector<std::string>> example;  // one
};
BOOST_DESCRIBE_STRUCT(DraftButton, (), (type, text, url, phone_number, otp_type, example))

struct DraftComponent {
  std::string type;  // HEADER, BODY, FOOTER, BUTTONS
  std::optional<std::string> format, text;
  std::optional<Examples> example;
  std::optional<std::vector<DraftButton>> buttons;
  std::optional<bool> add_security_recommendation;
  std::optional<std::int64_t> code_expiration_minutes;
};
BOOST_DESCRIBE_STRUCT(DraftComponent, (),
                      (type, format, text, example, buttons, add_security_recommendation, code_expiration_minutes))

// The body of POST /api/organization/templates.
struct Draft {
  std::string name, language;
  Category category = Category::UTILITY;
  std::optional<ParameterFormat> parameterFormat;  // POSITIONAL if left out
  std::vector<DraftComponent> components;
};
BOOST_DESCRIBE_STRUCT(Draft, (), (name, language, category, parameterFormat, components))

// The body of POST /api/organization/templates/{id}. A template keeps its name and its language.
struct Edit {
  std::optional<Category> category;
  std::optional<ParameterFormat> parameterFormat;
  std::optional<std::vector<DraftComponent>> components;
};
BOOST_DESCRIBE_STRUCT(Edit, (), (category, parameterFormat, components))

}  // namespace parley::conversations::templates
