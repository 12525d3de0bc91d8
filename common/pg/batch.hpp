#pragma once
// Statements with their parameters, sent in one write under one sync.

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "common/model/json.hpp"
#include "common/pg/error.hpp"
#include "common/pg/pipelined_batch.hpp"
#include "common/pg/statement.hpp"

namespace parley::pg {

class Batch {
 public:
  Batch() : exchange_(PipelinedBatchPtr::make()) {}
  template <class... Arguments>
  explicit Batch(const Statement& statement, const Arguments&... arguments) : Batch() {
    add(statement, arguments...);
  }
  Batch(Batch&&) = default;
  Batch& operator=(Batch&&) = default;

  // Appends a statement; the arguments are copied at once. C++ types that each declared type accepts:
  //   text, varchar, bytea, enumerations   std::string, std::string_view, const char*; a described enum (its name)
  //   json, jsonb                          model::RawJson, or text that is JSON
  //   int2, int4, int8                     any integer (out of range: MappingError)
  //   float8, bool, uuid, timestamptz      a floating-point number, bool, model::Uuid, model::Timestamp
  //   T[]                                  a sized range of values for T, or of optionals of them
  // An empty optional or std::nullopt is NULL. A wrong type or number of arguments throws a MappingError.
  template <class... Arguments>
  Batch& add(const Statement& statement, const Arguments&... arguments) & {
    open(statement, sizeof...(Arguments));
    (put(arguments), ...);
    return *this;
  }
  template <class... Arguments>
  Batch&& add(const Statement& statement, const Arguments&... arguments) && {
    return std::move(add(statement, arguments...));
  }

  // Keeps a text made for this batch, to be added to it: see Statement.
  const Statement& keep(std::shared_ptr<const Statement> made) & {
    return *exchange_->made.emplace_back(std::move(made));
  }

  // Appends a statement that bounds each one behind it in the batch, on the slow lane, by a statement_timeout such as
  // "8s".
  Batch& limit_time(std::string_view time) &;

  std::size_t size() const { return exchange_->calls.size(); }
  bool empty() const { return size() == 0; }

  PipelinedBatchPtr release() && { return std::move(exchange_); }
  const PipelinedBatch& exchange() const { return *exchange_; }

 private:
  template <class T>
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool is_optional<std::optional<T>> = true;

  template <class T>
  void put(const T& value) {
    if constexpr (std::same_as<T, std::nullopt_t>) {
      put_null();
    } else if constexpr (is_optional<T>) {
      value ? put(*value) : put_null();
    } else if constexpr (is_array<T>) {
      const Oid element = open_array(std::ranges::size(value));
      for (const auto& item : value) put_element(element, item);
      close();
    } else {
      const Oid type = open_value();
      write(type, widened(value));
      close();
    }
  }

  template <class T>
  void put_element(Oid type, const T& value) {
    if constexpr (is_optional<T>) {
      if (!value) return put_null_element();
      put_element(type, *value);
    } else {
      const auto at = open_element();
      write(type, widened(value));
      close_element(at);
    }
  }

  template <class T>
  static constexpr bool is_array = std::ranges::sized_range<T> && !std::convertible_to<const T&, std::string_view>;

  template <class T>
  static decltype(auto) widened(const T& value) {
    if constexpr (std::same_as<T, bool> || std::same_as<T, model::Uuid> || std::same_as<T, model::Timestamp> ||
                  std::same_as<T, model::RawJson>)
      return (value);
    else if constexpr (std::convertible_to<const T&, std::string_view>)
      return std::string_view(value);
    else if constexpr (std::unsigned_integral<T>)
      return checked(value);
    else if constexpr (std::integral<T>)
      return std::int64_t{value};
    else if constexpr (std::floating_point<T>)
      return double{value};
    else if constexpr (model::DescribedEnum<T>)
      return model::name_of(value);
    else if constexpr (std::convertible_to<const T&, bool>)  // std::vector<bool>'s proxy
      return static_cast<bool>(value);
    else
      static_assert(sizeof(T) == 0, "no PostgreSQL type for this");
  }
  static std::int64_t checked(std::uint64_t value);

  void open(const Statement& statement, std::size_t arguments);
  void put_null();
  Oid open_value();                      // returns the parameter's declared type
  Oid open_array(std::size_t elements);  // returns the element's type
  void close();
  std::size_t open_element();
  void close_element(std::size_t at);
  void put_null_element();

  void write(Oid type, bool value);
  void write(Oid type, std::int64_t value);
  void write(Oid type, double value);
  void write(Oid type, std::string_view text);
  void write(Oid type, const model::Uuid& id);
  void write(Oid type, const model::Timestamp& moment);
  void write(Oid type, const model::RawJson& json);
  void refuse(Oid type, std::string_view what) const;

  PipelinedBatchPtr exchange_;
};

}  // namespace parley::pg
