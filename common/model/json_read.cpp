#include <charconv>

#include <utility>

#include "common/model/json.hpp"

namespace parley::model {

namespace {

// Boost's own serializer would write 12.34 as 1.234E1.
void append(std::string& out, const boost::json::value& json) {
  char before = 0;
  switch (json.kind()) {
    case boost::json::kind::null:
      out += "null";
      break;
    case boost::json::kind::bool_:
      write(out, json.get_bool());
      break;
    case boost::json::kind::int64:
      write(out, json.get_int64());
      break;
    case boost::json::kind::uint64:
      write(out, json.get_uint64());
      break;
    case boost::json::kind::double_:
      write(out, json.get_double());
      break;
    case boost::json::kind::string:
      write(out, std::string_view(json.get_string().data(), json.get_string().size()));
      break;
    case boost::json::kind::array:
      before = '[';
      for (const auto& item : json.get_array()) {
        out += std::exchange(before, ',');
        append(out, item);
      }
      out += before == '[' ? "[]" : "]";
      break;
    case boost::json::kind::object:
      before = '{';
      for (const auto& [key, value] : json.get_object()) {
        out += std::exchange(before, ',');
        write(out, std::string_view(key.data(), key.size()));
        out += ':';
        append(out, value);
      }
      out += before == '{' ? "{}" : "}";
      break;
  }
}

}  // namespace

void Reader::read(const boost::json::value& json, std::string& out) {
  if (const auto* text = json.if_string())
    out.assign(text->data(), text->size());
  else
    fault("must be a string");
}

void Reader::read(const boost::json::value& json, bool& out) {
  if (const auto* value = json.if_bool())
    out = *value;
  else
    fault("must be true or false");
}

void Reader::read(const boost::json::value& json, std::int64_t& out) {
  boost::system::error_code error;
  const auto value = json.is_double() ? std::int64_t{} : json.to_number<std::int64_t>(error);
  if (json.is_double() || error)
    fault("must be an integer");
  else
    out = value;
}

void Reader::read(const boost::json::value& json, double& out) {
  boost::system::error_code error;
  const auto value = json.to_number<double>(error);
  if (error)
    fault("must be a number");
  else
    out = value;
}

void Reader::read(const boost::json::value& json, RawJson& out) {
  out.text.clear();
  append(out.text, json);
}

void Reader::read(const boost::json::value& json, Uuid& out) {
  const auto* text = json.if_string();
  const auto id = text ? Uuid::parse({text->data(), text->size()}) : std::nullopt;
  if (id)
    out = *id;
  else
    fault("must be an id");
}

void Reader::read(const boost::json::value& json, Timestamp& out) {
  const auto* text = json.if_string();
  const auto moment = text ? Timestamp::parse({text->data(), text->size()}) : std::nullopt;
  if (moment)
    out = *moment;
  else
    fault("must be a date-time (RFC 3339)");
}

Reader::At::At(Reader& reader, std::string_view key) : reader_(reader), length_(reader.path_.size()) {
  reader_.path_ += '/';
  for (const char c : key) {
    if (c == '~')
      reader_.path_ += "~0";
    else if (c == '/')
      reader_.path_ += "~1";
    else
      reader_.path_ += c;
  }
}

Reader::At::At(Reader& reader, std::size_t index) : reader_(reader), length_(reader.path_.size()) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, index).ptr;
  (reader_.path_ += '/').append(text, end);
}

}  // namespace parley::model
