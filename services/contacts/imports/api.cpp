#include "contacts/imports/api.hpp"

#include <exception>

#include "common/chassis/change.hpp"
#include "common/http/form.hpp"
#include "common/model/phone.hpp"
#include "common/model/text.hpp"
#include "contacts/imports/failed_rows.hpp"
#include "contacts/imports/upload.hpp"

namespace parley::contacts::imports {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, Worker& worker, std::string country)
    : store_(store), worker_(worker), country_(std::move(country)) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/contacts/imports", Permission::bulk_import_contacts, &Api::create);
  routes.get("/api/contacts/imports", Permission::bulk_import_contacts, &Api::list);
  routes.get("/api/contacts/imports/{id}", Permission::bulk_import_contacts, &Api::find);
  routes.get("/api/contacts/imports/{id}/failed-rows", Permission::bulk_import_contacts, &Api::failed_rows);
  routes.post("/api/contacts/imports/{id}/cancel", Permission::bulk_import_contacts, &Api::cancel);
  process.limits().streamed.emplace_back("/api/contacts/imports");
}

namespace {

// Updating contacts and adding them to a list require the permissions of these changes.
void require_rights(const chassis::Call& call) {
  const auto query = call.query<ImportQuery>();
  if (query.on_conflict == OnConflict::update) call.require(Permission::update_contact);
  if (query.list_id) call.require(Permission::update_list);
}

// Returns the file of a form, or nullptr for a body that is the file itself. The type that a form says of its file is
// the browser's guess, such as application/vnd.ms-excel where a spreadsheet program is installed: it does not count.
awaitable<std::unique_ptr<http::FormFile>> form_of(const http::Request& request) {
  const auto type = request.field("Content-Type");
  const auto coding = request.field("Content-Encoding");
  const bool is_plain = coding.empty() || model::equals_ignoring_case(coding, "identity");
  const auto boundary = http::form_boundary(type);
  if (!is_plain ||
      (boundary.empty() && !model::equals_ignoring_case(trimmed(type.substr(0, type.find(';'))), "text/csv")))
    throw http::Problem({.status = 415,
                         .detail = "the body must be text/csv in UTF-8, or a form (multipart/form-data) with such a "
                                   "file, without a Content-Encoding"});
  if (boundary.empty()) co_return nullptr;
  auto form = std::make_unique<http::FormFile>(*request.body_source, boundary);
  co_await form->begin();
  co_return form;
}

NewImport check(const ImportQuery& query, const std::string& usual_country, std::vector<Mapping>& mapping) {
  http::Faults faults;
  NewImport import;
  import.list_id = query.list_id;
  import.on_conflict = query.on_conflict.value_or(OnConflict::skip);
  import.country = query.country.value_or(usual_country);
  import.cells = http::csv_cells(query.format);
  if (query.country && !model::is_phone_country(*query.country))
    faults.add("?country", "must be a country of ISO 3166, such as DE");
  mapping = read_mapping(query.mapping.value_or(""), faults);
  faults.throw_if_any();
  return import;
}

Filter check(const ListQuery& query) { return {http::read_creation_filter(query), query.status}; }

}  // namespace

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  require_rights(call);
  auto place = uploads_.take(call.request, call.organization());
  const auto form = co_await form_of(call.request);
  Upload upload(store_, call.organization(), form ? *form : *call.request.body_source, std::move(place));
  std::exception_ptr broken;
  try {
    co_return co_await receive(call, change, upload);
  } catch (...) {
    broken = std::current_exception();
  }
  co_await change.roll_back();
  co_await upload.discard();
  std::rethrow_exception(broken);
}

awaitable<http::Response> Api::receive(chassis::Call& call, chassis::Change& change, Upload& upload) {
  std::vector<Mapping> mapping;
  auto import = check(call.query<ImportQuery>(), country_, mapping);
  co_await upload.read_header(import, mapping);
  const auto id = co_await upload.stage(std::move(import));

  change.identify_body(upload.hash());
  const ImportResponse answer{co_await store_.enqueue(change, call.organization(), id)};
  change.audit(model::AuditAction::ContactsImported, id, "a file of " + std::to_string(upload.octets()) + " octets");
  auto response = http::json_response(answer, 202);
  response.add("Location", "/api/contacts/imports/" + id.text());
  co_await change.commit(response);
  worker_.notify();
  co_return response;
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [](const ImportSummary&) { return ""; };  // sorted by id alone
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.imports), page.total, sorted_by);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto import = co_await store_.find(call.organization(), call.id());
  if (!import) throw chassis::not_found("there is no import with this id");
  co_return http::json_response(ImportResponse{std::move(*import)});
}

awaitable<http::Response> Api::failed_rows(chassis::Call& call) {
  const auto query = call.query<FailedRowsQuery>();
  const auto id = call.id();
  auto rows = std::make_shared<FailedRows>(store_, call.organization(), id, http::csv_cells(query.format),
                                           files_.take(call.request, call.organization()));
  const bool begun = co_await rows->begin();
  if (!begun) throw chassis::not_found("there is no import with this id");
  if (call.request.method != http::Method::head) {  // HEAD returns no data
    events::Changes changes;
    changes.add(chassis::audit_entry(call, model::AuditAction::FailedRowsExported, id, "failed rows of an import"));
    co_await store_.emit(changes.json());
  }
  http::Response response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  response.add("Content-Disposition", "attachment; filename=\"failed-rows-" + id.text() + ".csv\"");
  response.stream = std::move(rows);
  co_return response;
}

awaitable<http::Response> Api::cancel(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto import = co_await store_.cancel(change, call.organization(), id);
  if (!import) throw chassis::not_found("there is no import with this id");
  co_return http::json_response(ImportResponse{std::move(*import)});
}

}  // namespace parley::contacts::imports
