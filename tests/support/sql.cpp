#include "tests/support/sql.hpp"

#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

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
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    const auto what = std::string(::PQerrorMessage(connection_.get())) + "in: " + sql;
    if (::PQstatus(connection_.get()) != CONNECTION_OK) throw SessionEnded(what);
    throw std::runtime_error(what);
  }
  std::vector<Row> out(static_cast<std::size_t>(::PQntuples(result.get())));
  for (int row = 0; row < ::PQntuples(result.get()); ++row)
    for (int column = 0; column < ::PQnfields(result.get()); ++column)
      out[static_cast<std::size_t>(row)].emplace_back(
          ::PQgetvalue(result.get(), row, column), static_cast<std::size_t>(::PQgetlength(result.get(), row, column)));
  return out;
}

bool Sql::in_transaction() const { return ::PQtransactionStatus(connection_.get()) != PQTRANS_IDLE; }

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

namespace {

struct Kept {
  std::string url;
  std::unique_ptr<Sql> session;
};

// The one used last first.
std::deque<Kept>& kept_sessions() {
  static thread_local std::deque<Kept> sessions;
  static thread_local pid_t owner = ::getpid();
  if (std::exchange(owner, ::getpid()) != ::getpid()) {  // a child must not even end what is its parent's
    for (auto& each : sessions) {
      [[maybe_unused]] auto* const parents = each.session.release();
    }
    sessions.clear();
  }
  return sessions;
}

std::unique_ptr<Sql> take_session(const std::string& url) {
  auto& sessions = kept_sessions();
  const auto found = std::ranges::find(sessions, url, &Kept::url);
  if (found == sessions.end()) return nullptr;
  auto out = std::move(found->session);
  sessions.erase(found);
  return out;
}

std::unique_ptr<Sql> new_session(const std::string& url) {
  auto out = std::make_unique<Sql>(url);
  out->rows("SET lock_timeout = '20s'");
  return out;
}

std::string execute_in(std::unique_ptr<Sql> session, const std::string& url, const std::string& sql) {
  auto out = session->value(sql);
  auto& sessions = kept_sessions();
  if (!session->in_transaction()) sessions.push_front({url, std::move(session)});
  constexpr std::size_t most = 4;
  if (sessions.size() > most) sessions.pop_back();
  return out;
}

}  // namespace

std::string execute(const std::string& url, const std::string& sql) {
  auto session = take_session(url);
  const bool is_kept = session != nullptr;
  if (!is_kept) session = new_session(url);
  try {
    return execute_in(std::move(session), url, sql);
  } catch (const SessionEnded&) {
    if (!is_kept) throw;
    return execute_in(new_session(url), url, sql);
  }
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
