#pragma once
// JSON for described structs (Boost.Describe): a strict parser, a reader that says where each fault is, and a writer
// that appends to a buffer without building a document. A struct's members bear the names and the order of the wire.
#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/json/value.hpp>
#include <boost/mp11/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/model/timestamp.hpp"
#include "common/model/uuid.hpp"

namespace parley::model {

// JSON that is passed through unparsed: free-form attributes, or parts from another service. Empty writes `null`.
struct RawJson {
  std::string text;
  bool operator==(const RawJson&) const = default;
};

// A member of a body that a client may leave out or send as null, which then mean the same to the reader. A member that
// is a plain std::optional may be left out.
template <class T>
struct Nullable : std::optional<T> {
  using std::optional<T>::optional;
  using std::optional<T>::operator=;
};

// An input error and its place: a JSON pointer (RFC 6901) such as `/tags/2`, or `` for the whole.
struct Fault {
  std::string pointer;
  std::string detail;
};

template <class T>
concept Described = boost::describe::has_describe_members<T>::value && !std::is_union_v<T>;
template <class T>
concept DescribedEnum = boost::describe::has_describe_enumerators<T>::value;

template <Described T>
using Members = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

// ---- parsing -------------------------------------------------------------------------------------------------------

// Parses one JSON text (RFC 8259) no deeper than 32. Beyond what the grammar refuses: an object with a key twice,
// U+0000 in a string (PostgreSQL cannot hold it), numbers that are not finite, integers beyond 64 bits that a double
// does not keep, a byte-order mark, invalid UTF-8. On refusal returns nullopt and says why in `fault`.
std::optional<boost::json::value> parse(std::string_view text, Fault& fault);

// The same for stored input of clients: also refuses nonzero numbers below 1e-32 or from 1e32 on.
std::optional<boost::json::value> parse_of_client(std::string_view text, Fault& fault);

// The same for JSON of third parties, at most 64 deep, repaired instead of refused: the last of duplicate keys holds;
// U+0000, invalid UTF-8 and lone surrogates become U+FFFD; integers beyond 64 bits become doubles, and numbers beyond
// doubles null.
std::optional<boost::json::value> parse_leniently(std::string_view text, Fault& fault);

// ---- writing -------------------------------------------------------------------------------------------------------

void write(std::string& out, std::string_view text);  // quoted and escaped
void write(std::string& out, bool value);
void write(std::string& out, std::int64_t value);
void write(std::string& out, std::uint64_t value);
void write(std::string& out, double value);  // shortest form; what is not finite is null
inline void write(std::string& out, int value) { write(out, std::int64_t{value}); }
inline void write(std::string& out, unsigned value) { write(out, std::uint64_t{value}); }
inline void write(std::string& out, const std::string& text) { write(out, std::string_view(text)); }
inline void write(std::string& out, const char* text) { write(out, std::string_view(text)); }
inline void write(std::string& out, const RawJson& json) {
  out += json.text.empty() ? std::string_view("null") : std::string_view(json.text);
}
inline void write(std::string& out, const Uuid& id) {
  out += '"';
  id.append_to(out);
  out += '"';
}
inline void write(std::string& out, const Timestamp& moment) {
  out += '"';
  moment.append_to(out);
  out += '"';
}

template <Described T>
void write(std::string& out, const T& object);
template <DescribedEnum E>
void write(std::string& out, E value) {
  write(out, std::string_view(boost::describe::enum_to_string(value, "")));
}
template <class T>
void write(std::string& out, const std::optional<T>& value) {
  if (value)
    write(out, *value);
  else
    out += "null";
}
template <class T>
void write(std::string& out, const std::vector<T>& values) {
  char before = '[';
  for (const auto& value : values) {
    out += before;
    before = ',';
    write(out, value);
  }
  if (before == '[') out += '[';
  out += ']';
}
template <Described T>
void write(std::string& out, const T& object) {
  char before = '{';
  boost::mp11::mp_for_each<Members<T>>([&](auto member) {
    out += before;
    before = ',';
    out += '"';
    out += member.name;
    out += "\":";
    write(out, object.*member.pointer);
  });
  if (before == '{') out += '{';
  out += '}';
}

template <class T>
std::string to_json(const T& value) {
  std::string out;
  write(out, value);
  return out;
}

// The text of a described enumerator, as on the wire.
template <DescribedEnum E>
std::string_view name_of(E value) {
  return boost::describe::enum_to_string(value, "");
}

// ---- reading -------------------------------------------------------------------------------------------------------

// What null means for a member that is std::optional: that it is absent, as the writer above puts it, or a fault.
enum class Nulls { absent, refused };

// Reads a parsed document into a described struct. Unknown members are ignored; members that are neither std::optional
// nor Nullable are required. Collects all faults, each with its pointer.
class Reader {
 public:
  explicit Reader(Nulls nulls = Nulls::absent) : nulls_(nulls) {}

  std::vector<Fault> faults;

  void read(const boost::json::value& json, std::string& out);
  void read(const boost::json::value& json, bool& out);
  void read(const boost::json::value& json, std::int64_t& out);
  void read(const boost::json::value& json, double& out);
  void read(const boost::json::value& json, RawJson& out);
  void read(const boost::json::value& json, Uuid& out);
  void read(const boost::json::value& json, Timestamp& out);

  template <DescribedEnum E>
  void read(const boost::json::value& json, E& out) {
    const auto* text = json.if_string();
    if (text && boost::describe::enum_from_string(text->c_str(), out)) return;
    std::string known;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
        [&](auto enumerator) { known.append(known.empty() ? "" : ", ").append(enumerator.name); });
    fault("must be one of " + known);
  }
  template <class T>
  void read(const boost::json::value& json, std::optional<T>& out) {
    if (!json.is_null())
      read(json, out.emplace());
    else if (nulls_ == Nulls::refused)
      fault("must not be null: leave it out instead");
    else
      out.reset();
  }
  template <class T>
  void read(const boost::json::value& json, Nullable<T>& out) {
    if (json.is_null())
      out.reset();
    else
      read(json, out.emplace());
  }
  template <class T>
  void read(const boost::json::value& json, std::vector<T>& out) {
    const auto* array = json.if_array();
    if (!array) return fault("must be an array");
    out.clear();
    out.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      const At at(*this, i);
      read((*array)[i], out.emplace_back());
    }
  }
  template <Described T>
  void read(const boost::json::value& json, T& out) {
    const auto* object = json.if_object();
    if (!object) return fault("must be an object");
    boost::mp11::mp_for_each<Members<T>>([&](auto member) {
      const At at(*this, std::string_view(member.name));
      using Member = std::remove_reference_t<decltype(out.*member.pointer)>;
      if (const auto* value = object->if_contains(member.name))
        read(*value, out.*member.pointer);
      else if constexpr (!is_optional<Member>)
        fault("is required");
    });
  }

  // Adds a fault at the place being read.
  void fault(std::string detail) { faults.push_back({path_, std::move(detail)}); }

 private:
  template <class M>
  static constexpr bool is_optional = false;
  template <class M>
  static constexpr bool is_optional<std::optional<M>> = true;
  template <class M>
  static constexpr bool is_optional<Nullable<M>> = true;

  // Lengthens the pointer for as long as it lives.
  class At {
   public:
    At(Reader& reader, std::string_view key);
    At(Reader& reader, std::size_t index);
    ~At() { reader_.path_.resize(length_); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Reader& reader_;
    std::size_t length_;
  };
  const Nulls nulls_;
  std::string path_;
};

// Parses strictly and reads. Returns nullopt if the shape differs; `fault` then holds the first fault.
template <class T>
std::optional<T> from_json(std::string_view text, Fault& fault) {
  std::optional<T> out;
  const auto json = parse(text, fault);
  if (!json) return out;
  Reader reader;
  reader.read(*json, out.emplace());
  if (reader.faults.empty()) return out;
  fault = std::move(reader.faults.front());
  return std::nullopt;
}
template <class T>
std::optional<T> from_json(std::string_view text) {
  Fault fault;
  return from_json<T>(text, fault);
}

}  // namespace parley::model
