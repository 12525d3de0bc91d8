#include "common/pg/batch.hpp"

#include <doctest/doctest.h>

#include <boost/describe/enum.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/identity/api_key.hpp"

using namespace parley;
using pg::Lane;
namespace oid = pg::oid;

namespace parley::pg_batch_tests {
enum class Colour { Red, DarkBlue };
BOOST_DESCRIBE_ENUM(Colour, Red, DarkBlue)
}  // namespace parley::pg_batch_tests
using parley::pg_batch_tests::Colour;

namespace {

const pg::Statement& taking(Oid type) {
  static std::vector<std::unique_ptr<pg::Statement>> made;
  made.push_back(std::make_unique<pg::Statement>("unit.taking_" + oid::name_of(type), "SELECT $1", Lane::read,
                                                 std::vector<Oid>{type}, pg::Statement::Kind::unprepared));
  return *made.back();
}

// The bytes of the only parameter, in hexadecimal; "NULL" for one.
template <class T>
std::string encoded(Oid type, const T& value) {
  pg::Batch batch;
  batch.add(taking(type), value);
  const auto& exchange = batch.exchange();
  REQUIRE(exchange.parameters.size() == 1);
  const auto& parameter = exchange.parameters[0];
  if (parameter.length < 0) return "NULL";
  return identity::to_hex(exchange.bytes.substr(parameter.offset, static_cast<std::size_t>(parameter.length)));
}

}  // namespace

TEST_CASE("pg: parameters travel in binary") {
  CHECK(encoded(oid::int8, 1) == "0000000000000001");
  CHECK(encoded(oid::int8, std::int64_t{-2}) == "fffffffffffffffe");
  CHECK(encoded(oid::int8, std::size_t{7}) == "0000000000000007");
  CHECK(encoded(oid::int4, std::int64_t{258}) == "00000102");
  CHECK(encoded(oid::int2, -1) == "ffff");
  CHECK(encoded(oid::boolean, true) == "01");
  CHECK(encoded(oid::boolean, false) == "00");
  CHECK(encoded(oid::float8, 1.0) == "3ff0000000000000");
  CHECK(encoded(oid::text, "ab") == "6162");
  CHECK(encoded(oid::text, std::string("a\0b", 3)) == "610062");
  CHECK(encoded(oid::text, std::string_view("")) == "");
  CHECK(encoded(oid::bytea, std::string("\xff\x00", 2)) == "ff00");
  CHECK(encoded(oid::text, Colour::DarkBlue) == "4461726b426c7565");
  CHECK(encoded(oid::first_user_defined + 3, Colour::Red) == "526564");
  CHECK(encoded(oid::json, model::RawJson{"{}"}) == "7b7d");
  CHECK(encoded(oid::jsonb, model::RawJson{"{}"}) == "017b7d");
  CHECK(encoded(oid::jsonb, model::RawJson{}) == "016e756c6c");
  CHECK(encoded(oid::uuid, *model::Uuid::parse("00112233-4455-6677-8899-aabbccddeeff")) ==
        "00112233445566778899aabbccddeeff");
  CHECK(encoded(oid::timestamptz, model::Timestamp{946'684'800'000}) == "0000000000000000");
  CHECK(encoded(oid::timestamptz, model::Timestamp{946'684'800'001}) == "00000000000003e8");
  CHECK(encoded(oid::timestamptz, model::Timestamp{946'684'799'999}) == "fffffffffffffc18");
}

TEST_CASE("pg: an empty optional is NULL") {
  CHECK(encoded(oid::text, std::optional<std::string>()) == "NULL");
  CHECK(encoded(oid::text, std::optional<std::string>("")) == "");
  CHECK(encoded(oid::uuid, std::nullopt) == "NULL");
  CHECK(encoded(oid::int8_array, std::optional<std::vector<int>>()) == "NULL");
}

TEST_CASE("pg: arrays") {
  CHECK(encoded(oid::int8_array, std::vector<std::int64_t>{}) == "000000000000000100000014");
  CHECK(encoded(oid::int4_array, std::vector<int>{1, 2}) ==
        "000000010000000100000017"
        "0000000200000001"
        "0000000400000001"
        "0000000400000002");
  const std::vector<std::string> texts{"a", ""};
  CHECK(encoded(oid::text_array, std::span(texts)) ==
        "000000010000000100000019"
        "0000000200000001"
        "0000000161"
        "00000000");
  CHECK(encoded(oid::text_array, std::vector<std::optional<std::string>>{std::nullopt}) ==
        "000000010000000100000019"
        "0000000100000001"
        "ffffffff");
  CHECK(encoded(oid::boolean_array, std::vector<bool>{true}) ==
        "000000010000000100000010"
        "0000000100000001"
        "0000000101");
}

TEST_CASE("pg: what does not fit the declared type is refused") {
  auto refuses = [](Oid type, const auto& value) { CHECK_THROWS_AS(encoded(type, value), pg::MappingError); };
  refuses(oid::int4, std::int64_t{1} << 31);
  refuses(oid::int2, 40'000);
  refuses(oid::int8, ~std::uint64_t{0});
  refuses(oid::uuid, "00112233-4455-6677-8899-aabbccddeeff");
  refuses(oid::text, 1);
  refuses(oid::int8, "1");
  refuses(oid::int8, true);
  refuses(oid::boolean, 1);
  refuses(oid::text, model::RawJson{"1"});
  refuses(oid::float8, 1);
  refuses(oid::text, model::Timestamp{});
  refuses(oid::uuid, std::vector<model::Uuid>{});
  refuses(oid::uuid_array, model::Uuid{});
  refuses(oid::int8_array, std::vector<std::string>{"1"});
  pg::Batch batch;
  CHECK_THROWS_WITH_AS(batch.add(taking(oid::int4)), "unit.taking_int4 takes 1 parameters, not 0", pg::MappingError);
  CHECK_THROWS_WITH_AS(batch.add(taking(oid::int4), "x"), "unit.taking_int4: $1 is int4, which text does not fit",
                       pg::MappingError);
}

TEST_CASE("pg: a batch's buffers serve the next batch") {
  static const pg::Statement none("unit.none", "SELECT 1", Lane::read, {}, pg::Statement::Kind::unprepared);
  const pg::PipelinedBatch* first = nullptr;
  {
    pg::Batch batch;
    batch.add(taking(oid::text), "some text").add(none);
    first = &batch.exchange();
  }
  pg::Batch again;
  CHECK(&again.exchange() == first);
  CHECK(again.empty());
  CHECK(again.exchange().bytes.empty());
  CHECK(again.exchange().parameters.empty());
}
