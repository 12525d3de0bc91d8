// Imports through the gateway: files that stream, uploads that break off, replicas that are killed while they work.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "tests/e2e/world.hpp"
#include "tests/support/loop.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

const Headers kCsv{{"Content-Type", "text/csv"}};

std::string numbered_file(int rows) {
  std::string out = "name,phone,city\r\n";
  for (int i = 0; i < rows; ++i) {
    char line[80];
    std::snprintf(line, sizeof line, "\"Name, %d\",+4917%08d,Town %d\r\n", i, i, i % 7);
    out += line;
  }
  return out;
}

std::string id_of(const Answer& answer) { return std::string(answer.json().at("import").at("uniqueId").as_string()); }

boost::json::object import_of(Client& client, const std::string& id) {
  return client.get("/api/contacts/imports/" + id).json().at("import").as_object();
}

std::int64_t number(const boost::json::object& import, std::string_view name) { return import.at(name).as_int64(); }

bool is_under_way(const boost::json::object& import) {
  return import.at("status") == "Queued" || import.at("status") == "Running";
}

boost::json::object finished(Client& client, const std::string& id) {
  for (int i = 0; i < 6'000; ++i) {
    auto import = import_of(client, id);
    CHECK(number(import, "rowsRead") == number(import, "imported") + number(import, "updated") +
                                            number(import, "skipped") + number(import, "failed"));
    if (!is_under_way(import)) return import;
    std::this_thread::sleep_for(10ms);
  }
  throw std::runtime_error("the import does not end");
}

std::int64_t contacts_in(System& system, const std::string& organization) {
  return system.sql("contacts").number("SELECT count(*) FROM contact WHERE organization_id = $1", {organization});
}

std::int64_t staged(System& system, const std::string& organization) {
  return system.sql("contacts").number("SELECT count(*) FROM import_chunk WHERE organization_id = $1", {organization});
}

Organization organization_of_its_own(System& system, const std::string& name) {
  Organization out;
  out.owner = system.create_owner(name + "@example.com", name);
  out.id = out.owner.organization_id;
  return out;
}

}  // namespace

TEST_SUITE("e2e: imports") {
  TEST_CASE("a small file: what it is answered, what becomes of it, what it is audited as") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "small-import");
    Client client(system, organization.owner.api_key);
    const auto answer = client.post(
        "/api/contacts/imports?country=DE&on_conflict=update&mapping=name:Wer,-:Notiz",
        "\xEF\xBB\xBFWer;phone;Ort;Notiz\r\n\"Ann\r\nLee\";0170 1234567;K\xC3\xB6ln;x\r\nBob;12;;\r\n", kCsv);
    CHECK(answer.status == 202);
    const auto id = id_of(answer);
    CHECK(answer.header("Location") == "/api/contacts/imports/" + id);
    CHECK(answer.json().at("import").at("status") == "Queued");
    const auto import = finished(client, id);
    CHECK(import.at("status") == "Finished");
    CHECK(number(import, "imported") == 1);
    CHECK(number(import, "failed") == 1);
    CHECK(number(import, "percent") == 100);
    CHECK(import.at("errors").at(0).at("line") == 4);
    CHECK(import.at("errors").at(0).at("column") == "phone");
    CHECK(import.at("errors").at(0).at("detail") ==
          "\"12\" is no telephone number: +49 is followed by 4 to 13 digits, not 2");
    const auto contacts = client.get("/api/contacts").json().at("contacts").as_array();
    REQUIRE(contacts.size() == 1);
    CHECK(contacts[0].at("name") == "Ann\r\nLee");
    CHECK(contacts[0].at("phone") == "+491701234567");
    CHECK(contacts[0].at("attributes") == boost::json::value{{"Ort", "K\xC3\xB6ln"}});
    CHECK(client.get("/api/contacts/imports?status=Finished").json().at("paginationMeta").at("total") == 1);
    CHECK(system.sql("contacts")
              .number("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' = "
                      "'audit.recorded' AND "
                      "c ->> 'action' = 'ContactsImported' AND c ->> 'subjectId' = $1 AND c ->> 'memberId' = $2",
                      {id, organization.owner.member_id}) == 1);
    CHECK(client.post("/api/contacts/imports/" + id + "/cancel", "").json().at("import").at("status") == "Finished");
  }

  TEST_CASE("failed rows come as a file that a spreadsheet may open, corrected it is imported, and the audit has it") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "failed-rows");
    Client client(system, organization.owner.api_key);
    std::string file = "name;phone;city\n=1+1;12;\"a;b\"\nAnn;+491701234567;Bonn\n";
    for (int i = 0; i < 150; ++i) file += "Bob;;Ulm\n";
    const auto id = id_of(client.post("/api/contacts/imports", file, kCsv));
    const auto import = finished(client, id);
    CHECK_EQ(number(import, "failed"), 151);
    CHECK_EQ(number(import, "failedKept"), 151);
    const auto path = "/api/contacts/imports/" + id + "/failed-rows";
    const auto guarded = client.get(path), raw = client.get(path + "?format=csv-raw");
    REQUIRE_EQ(guarded.status, 200);
    CHECK_EQ(guarded.header("Content-Type"), "text/csv; charset=utf-8; header=present");
    CHECK(guarded.header("Content-Disposition").find("failed-rows-" + id + ".csv") != std::string::npos);
    CHECK(guarded.body.starts_with("line,column,reason,name,phone,city\r\n2,phone,"));
    CHECK(guarded.body.find(",'=1+1,12,a;b\r\n") != std::string::npos);
    CHECK(raw.body.find(",=1+1,12,a;b\r\n") != std::string::npos);
    CHECK_EQ(std::ranges::count(guarded.body, '\n'), 152);
    CHECK(guarded.body.find("153,phone,is empty: a contact needs a telephone number,Bob,,Ulm\r\n") !=
          std::string::npos);
    CHECK_EQ(client("HEAD", path).status, 200);
    CHECK_EQ(client("HEAD", path + "?organization_id=" + organization.id).status, 200);
    CHECK_EQ(client.get(path + "?format=json").status, 400);
    CHECK_EQ(client.get("/api/contacts/imports/" + organization.id + "/failed-rows").status, 404);
    Client other(system, world().b.owner.api_key);
    CHECK_EQ(other.get(path).status, 404);

    auto corrected = guarded.body;
    corrected.replace(corrected.find(",12,"), 4, ",+491701234568,");
    const auto again = client.post("/api/contacts/imports?mapping=-:line,-:column,-:reason", corrected, kCsv);
    CHECK_EQ(number(finished(client, id_of(again)), "imported"), 1);
    const auto contacts = client.get("/api/contacts?search=%2B491701234568").json();
    CHECK_EQ(contacts.at("contacts").at(0).at("name").as_string(), "=1+1");
    support::wait_until(
        [&] {
          const auto entries = client.get("/api/organization/audit?action=FailedRowsExported").json();
          return entries.at("paginationMeta").at("total") == 2 &&
                 entries.at("entries").at(0).at("subjectId").as_string() == id;
        },
        [] { std::this_thread::sleep_for(20ms); });
  }

  TEST_CASE("what was exported comes back as it was, in the format that it was exported in") {
    auto& system = world().system;
    const auto from = organization_of_its_own(system, "exporting"), into = organization_of_its_own(system, "importing");
    Client exporter(system, from.owner.api_key), importer(system, into.owner.api_key);
    REQUIRE_EQ(exporter
                   .post("/api/contacts", R"([{"name": "=1+1", "phone": "+491701111111", "tags": ["@a", "b"]},
                                              {"name": "'=1+1", "phone": "+491701111112", "tags": ["-c|d"]},
                                              {"name": "-5", "phone": "+491701111113", "attributes": {"a": "=1"}}])")
                   .status,
               201);
    const auto all = [](Client& client) {
      std::vector<std::string> out;
      const auto answer = client.get("/api/contacts?per_page=10").json();
      for (const auto& contact : answer.at("contacts").as_array())
        out.push_back(std::string(contact.at("phone").as_string()) + " " + std::string(contact.at("name").as_string()));
      std::sort(out.begin(), out.end());
      return out;
    };
    for (const std::string format : {"csv", "csv-raw"}) {
      const auto file = exporter.get("/api/contacts/export?format=" + format);
      REQUIRE_EQ(file.status, 200);
      CHECK_EQ(file.body.find(",=1+1,") == std::string::npos, format == "csv");
      const auto taken = importer.post("/api/contacts/imports?on_conflict=update&format=" + format, file.body, kCsv);
      REQUIRE_EQ(taken.status, 202);
      CHECK_EQ(number(finished(importer, id_of(taken)), "failed"), 0);
      CHECK_EQ(all(importer), all(exporter));
    }
    CHECK_EQ(importer.post("/api/contacts/imports?format=json", "phone\n", kCsv).status, 400);
  }

  TEST_CASE("what is no import is refused before anything is kept") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "refused-import");
    Client client(system, organization.owner.api_key);
    const auto refused = [&](const std::string& query, const std::string& file, Headers headers = kCsv) {
      const auto answer = client.post("/api/contacts/imports" + query, file, std::move(headers));
      std::string out = std::to_string(answer.status);
      const auto json = answer.json();
      const auto* errors = json.as_object().if_contains("errors");
      if (errors && !errors->as_array().empty()) out += " " + std::string(errors->at(0).at("pointer").as_string());
      return out;
    };
    CHECK(refused("", "name,phone\n", {{"Content-Type", "application/json"}}) == "415");
    CHECK(refused("", "name,phone\n", {{"Content-Type", "text/csv"}, {"Content-Encoding", "gzip"}}) == "415");
    CHECK(refused("", "") == "400 ");
    CHECK(refused("", "\n\n") == "400 ");
    CHECK(refused("", "name,city\nAnn,Paris\n") == "400 ");
    CHECK(refused("", "PK\x03\x04 and so on") == "400 ");
    CHECK(refused("", "\xFF\xFEn") == "400 ");
    CHECK(refused("", "\"name,phone\n") == "400 ");
    CHECK(refused("", std::string(100'000, 'x')) == "400 ");
    CHECK(refused("?mapping=phone:Mobile", "name,phone\n") == "400 ?mapping");
    CHECK(refused("?mapping=mail:phone", "name,phone\n") == "400 ?mapping");
    CHECK(refused("?country=Germany", "name,phone\n") == "400 ?country");
    CHECK(refused("?on_conflict=merge", "name,phone\n") == "400 ?on_conflict");
    CHECK(refused("?list_id=" + model::new_uuid().text(), "name,phone\n") == "400 ?list_id");
    CHECK(refused("?list_id=" + world().a.lists[0], "name,phone\n") == "400 ?list_id");  // another's
    CHECK(refused("?lists=x", "name,phone\n") == "400 ?lists");
    CHECK(system.sql("contacts").number("SELECT count(*) FROM import WHERE organization_id = $1", {organization.id}) ==
          0);
    // Other bodies are as limited as ever.
    CHECK(client.post("/api/lists", std::string(2'000'000, ' ')).status == 413);
  }

  TEST_CASE("a form imports the file that is its last part") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "import-forms");
    Client client(system, organization.owner.api_key);
    const Headers form{{"Content-Type", "multipart/form-data; boundary=\"a b\""}};
    const std::string part =
        "--a b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"c.csv\"\r\nContent-Type: "
        "application/vnd.ms-excel\r\n\r\n";
    const auto answer = client.post("/api/contacts/imports", part + numbered_file(50'000) + "\r\n--a b--", form);
    REQUIRE_EQ(answer.status, 202);
    const auto import = finished(client, id_of(answer));
    CHECK_EQ(number(import, "imported"), 50'000);
    CHECK_EQ(number(import, "failed"), 0);
    for (const std::string& bad :
         {part + "phone\r\n+491", part + "phone\r\n+4917199999999\r\n--a b\r\n\r\n\r\n--a b--",
          std::string("--a b\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nphone\r\n--a b--")})
      CHECK_EQ(client.post("/api/contacts/imports", bad, form).status, 400);
    CHECK_EQ(contacts_in(system, organization.id), 50'000);
    CHECK_EQ(staged(system, organization.id), 0);
  }

  TEST_CASE("an upload may be long, slow and chunked, and leaves nothing when it breaks off") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "slow-import");
    Client client(system, organization.owner.api_key);
    const std::string head = "POST /api/contacts/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
                             organization.owner.api_key + "\r\nContent-Type: text/csv\r\n";
    const auto imports = [&] { return client.get("/api/contacts/imports").json().at("imports").as_array(); };
    const auto until = [](const std::function<bool()>& condition) {
      for (int i = 0; i < 3'000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
      CHECK(condition());
    };
    const auto file = numbered_file(40'000);  // 1.5 MB
    REQUIRE(file.size() > 1024 * 1024);
    {
      Wire wire(system.gateway().port());
      wire.send(head + "Content-Length: " + std::to_string(file.size()) + "\r\n\r\n" + file.substr(0, 600'000));
      until([&] { return imports().size() == 1; });
      CHECK(imports()[0].at("status") == "Uploading");
    }
    until([&] { return imports().empty(); });  // the connection is gone
    CHECK(contacts_in(system, organization.id) == 0);

    Wire wire(system.gateway().port());
    wire.send(head + "Transfer-Encoding: chunked\r\n\r\n");
    for (std::size_t at = 0; at < file.size(); at += 300'000) {
      const auto piece = file.substr(at, 300'000);
      char size[16];
      std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
      wire.send(size + piece + "\r\n");
      std::this_thread::sleep_for(20ms);
    }
    wire.send("0\r\n\r\n");
    const auto answer = wire.read();
    REQUIRE(answer);
    CHECK(answer->status == 202);
    const auto import = finished(client, id_of(*answer));
    CHECK(import.at("status") == "Finished");
    CHECK(number(import, "imported") == 40'000);
    CHECK(contacts_in(system, organization.id) == 40'000);
    until([&] { return staged(system, organization.id) == 0; });  // of the upload that broke off, too
    CHECK(client.get("/api/contacts?per_page=1").json().at("paginationMeta").at("total") == 40'000);
  }

  TEST_CASE("one organization's uploads leave places for another's") {
    auto& system = world().system;
    const auto many = organization_of_its_own(system, "many-uploads"),
               one = organization_of_its_own(system, "one-upload");
    Client client(system, many.owner.api_key);
    const auto head =
        "POST /api/contacts/imports HTTP/1.1\r\nHost: parley\r\nContent-Type: text/csv\r\n"
        "Content-Length: 1000000\r\nAuthorization: Bearer " +
        many.owner.api_key + "\r\n\r\n";
    const auto under_way = [&] {
      return system.sql("contacts").number("SELECT count(*) FROM import WHERE organization_id = $1", {many.id});
    };
    std::vector<std::unique_ptr<Wire>> uploads;
    const auto begin = [&] {
      uploads.push_back(std::make_unique<Wire>(system.gateway().port()));
      uploads.back()->send(head + "phone\r\n");
    };
    for (std::int64_t i = 1; i <= 16; ++i) {
      begin();
      for (int tries = 0; tries < 3'000 && under_way() < i; ++tries) std::this_thread::sleep_for(10ms);
      REQUIRE(under_way() == i);
    }
    begin();  // is refused as soon as it goes on, and not waited for any longer
    int pieces = 0;
    while (pieces < 1'000 && uploads.back()->send("+4917012345678\r\n")) {
      ++pieces;
      std::this_thread::sleep_for(20ms);
    }
    CHECK(pieces < 1'000);
    const auto refused = uploads.back()->read();
    REQUIRE(refused);
    CHECK(refused->status == 429);
    CHECK(refused->header("Retry-After") == "10");
    CHECK(under_way() == 16);
    Client other(system, one.owner.api_key);
    const auto answer = other.post("/api/contacts/imports", numbered_file(1), kCsv);
    CHECK(answer.status == 202);
    CHECK(number(finished(other, id_of(answer)), "imported") == 1);
    uploads.clear();
    for (int i = 0; i < 500; ++i) {  // its places come back
      const auto again = client.post("/api/contacts/imports", numbered_file(1), kCsv);
      if (again.status == 202) break;
      CHECK((again.status == 429 || again.status == 409));
      std::this_thread::sleep_for(10ms);
    }
    CHECK(system.sql("contacts")
              .number("SELECT count(*) FROM import WHERE organization_id = $1 AND status <> "
                      "'Uploading'",
                      {many.id}) == 1);
  }

  TEST_CASE("one Idempotency-Key is one import, whose file must be the same") {
    auto& system = world().system;
    const auto organization = organization_of_its_own(system, "repeated-import");
    Client client(system, organization.owner.api_key);
    const Headers headers{{"Content-Type", "text/csv"}, {"Idempotency-Key", "import-1"}};
    const auto file = numbered_file(10'000);
    const auto first = client.post("/api/contacts/imports", file, headers);
    CHECK(first.status == 202);
    const auto again = client.post("/api/contacts/imports", file, headers);
    CHECK(again.status == 202);
    CHECK(again.body == first.body);
    CHECK(again.header("Idempotency-Replayed") == "true");
    CHECK(client.post("/api/contacts/imports", file + "x,+491234567890,y\n", headers).status == 422);
    CHECK(client.get("/api/contacts/imports").json().at("imports").as_array().size() == 1);
    CHECK(number(finished(client, id_of(first)), "imported") == 10'000);
  }

  TEST_CASE("the process that works is killed again and again: each row once, the counts true") {
    System system({.replicas = 2, .environment = {}});
    const auto organization = organization_of_its_own(system, "killed-import");
    Client client(system, organization.owner.api_key);
    client.may_fail = true;
    auto& sql = system.sql("contacts");
    std::string id;
    for (int tries = 0; id.empty() && tries < 10; ++tries) {
      const auto answer = client.post("/api/contacts/imports", numbered_file(60'000), kCsv);
      if (answer.status == 202) id = id_of(answer);
    }
    REQUIRE(!id.empty());
    const auto rows_read = [&] { return sql.number("SELECT rows_read FROM import WHERE id = $1", {id}); };
    int kills = 0;
    for (std::int64_t seen = 0; kills < 12; ++kills) {
      // Both, so that it is surely the one that works; at another moment of its work each time.
      for (int i = 0; i < 6'000 && rows_read() == seen; ++i) std::this_thread::sleep_for(5ms);
      std::this_thread::sleep_for(std::chrono::milliseconds(17 * kills % 60));
      for (std::size_t n = 0; n < 2; ++n) system.contacts(n).kill();
      seen = rows_read();
      // Whatever is there was counted. In one look: what the process had sent may be committed a moment later.
      CHECK(sql.number(
                "SELECT imported - (SELECT count(*) FROM contact WHERE organization_id = $1) FROM import WHERE id = $2",
                {organization.id, id}) == 0);
      if (seen == 60'000) break;
      sql.rows("UPDATE import SET lease_until = now()");  // rather than wait for it to run out
      for (std::size_t n = 0; n < 2; ++n) system.contacts(n).start();
    }
    for (std::size_t n = 0; n < 2; ++n)
      if (!system.contacts(n).running()) system.contacts(n).start();
    CHECK(kills >= 3);
    const auto import = finished(client, id);
    CHECK(import.at("status") == "Finished");
    CHECK(number(import, "rowsRead") == 60'000);
    CHECK(number(import, "imported") == 60'000);
    CHECK(number(import, "skipped") == 0);  // none was tried a second time after it had been done
    CHECK(contacts_in(system, organization.id) == 60'000);
    CHECK(staged(system, organization.id) == 0);
    CHECK(sql.number("SELECT sum(contacts) FROM tally WHERE organization_id = $1", {organization.id}) == 60'000);
  }
}
