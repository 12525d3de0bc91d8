#include "tests/support/sql.hpp"

#include <libpq-fe.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace parley::support {

Sql::Sql(const std::string& url) : connection_(nullptr, ::PQfinish) {
  const char* const keywords[] = {"dbname", "connect_timeout", "client_encoding", nullptr};
  const char* const values[] = {url.c_str(), "10", "UTF8", nullptr};
  connection_.reset(::PQconnectdbParams(keywords, values, 1));
  if (::PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error(::PQerrorMessage(connection_.get()));
  ::PQsetNoticeReceiver(connection_.get(), [](void*, const PGresult*) {}, nullptr);
}

std::vector<Sql::Row> Sql::rows(const std::string& sql, const Parameters& parameters) {
  std::vector<const char*> values;
  for (const auto& parameter : parameters) values.push_back(parameter.c_str());
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
      parameters.empty() ? ::PQexec(connection_.get(), sql.c_str())
                         : ::PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                          values.data(), nullptr, nullptr, 0),
      ::PQclear);
  const auto status = ::PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
    throw std::runtime_error(std::string(::PQerrorMessage(connection_.get())) + "in: " + sql);
  std::vector<Row> out(static_cast<std::size_t>(::PQntuples(result.get())));
  for (int row = 0; row < ::PQntuples(result.get()); ++row)
    for (int column = 0; column < ::PQnfields(result.get()); ++column)
      out[static_cast<std::size_t>(row)].emplace_back(
          ::PQgetvalue(result.get(), row, column), static_cast<std::size_t>(::PQgetlength(result.get(), row, column)));
  return out;
}

std::string Sql::value(const std::string& sql, const Parameters& parameters) {
  auto found = rows(sql, parameters);
  return found.empty() || found[0].empty() ? std::string() : std::move(found[0][0]);
}

std::int64_t Sql::number(const std::string& sql, const Parameters& parameters) {
  return std::stoll(value(sql, parameters));
}

std::vector<std::string> Sql::column(const std::string& sql, const Parameters& parameters) {
  std::vector<std::string> out;
  for (auto& row : rows(sql, parameters)) out.push_back(std::move(row[0]));
  return out;
}

std::string sql_array(const std::vector<std::string>& elements) {
  std::string out = "{";
  for (const auto& element : elements) {
    if (out.size() > 1) out += ',';
    out += '"';
    for (const char c : element) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out += '}';
}

std::string source_text(const std::string& path) {
  std::ifstream file(std::string(PARLEY_SOURCE_DIR) + "/" + path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace parley::support
