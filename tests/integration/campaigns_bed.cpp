#include "tests/integration/campaigns_bed.hpp"

namespace parley::campaigns_tests {

namespace {

conversations::channel::Settings channel_at(const std::string& url) {
  conversations::channel::Settings out;
  out.url = url + "/v20.0";
  return out;
}

}  // namespace

Bed::Bed()
    : template_store_(pool_),
      channel_(process_, channel_at(organizations.url())),
      catalogue_(accounts_, channel_, template_store_),
      check_(catalogue_, template_store_, "https://parley.example"),
      store_(pool_),
      api_(process_, store_, accounts_, check_, contacts_peer_),
      audience_api_(process_, store_, contacts_peer_),
      worker(process_, pool_),
      other(process_, pool_) {
  connect();
  know_lists({list});
}

void Bed::know_lists(const std::vector<Uuid>& ids) {
  contacts.answers["/internal/lists/known"] = {
      200, R"({"organizationId":)" + model::to_json(organization) + R"(,"listIds":)" + model::to_json(ids) + "}"};
}

void Bed::know_templates(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names)
    list.append(list.empty() ? "" : ",")
        .append(R"({"id":"of )" + name +
                R"(","status":"APPROVED","category":"MARKETING","language":"en","components":[],"name":")" + name +
                "\"}");
  organizations.answers["/v20.0/1/message_templates"] = {200, R"({"data":[)" + list + "]}"};
  database.execute("UPDATE channel_list SET listed_at = '-infinity'");  // to be asked for again
}

std::string Bed::body(const std::string& more) const {
  return R"({"name":"Spring","message":{"type":"Text","text":"Hi {{name|there}}: https://shop.example/a"},"listIds":[)" +
         model::to_json(list) + "]" + more + "}";
}

Uuid Bed::make(const std::string& more) {
  const auto answer = post("/api/campaigns", body(more));
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
  return *Uuid::parse(json_of(answer).at("campaign").at("uniqueId").as_string());
}

Uuid Bed::make_as(const std::string& status, const std::string& more) {
  const auto id = make(more);
  set(id, "status = '" + status + "', phone_number_id = '123'");
  if (status == "Scheduled") set(id, "scheduled_at = now() + interval '1 hour'");
  return id;
}

std::string Bed::told(const Uuid& id) const {
  return database.execute(
      "SELECT coalesce(string_agg((c ->> 'from') || '>' || (c ->> 'to'), ' ' ORDER BY o.id), '') FROM outbox o, "
      "jsonb_array_elements(o.changes) c WHERE c ->> 'type' = 'campaign.status' AND c ->> 'campaignId' = " +
      quoted(id));
}

std::int64_t Bed::told(const Uuid& id, const std::string& type) const {
  return database.number("SELECT count(*) FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> 'type' = '" +
                         type + "' AND c ->> 'campaignId' = " + quoted(id));
}

void Bed::run(std::vector<awaitable<bool>> steps) { post_all({}, std::move(steps)); }

void Bed::run(awaitable<bool> step) {
  std::vector<awaitable<bool>> steps;
  steps.push_back(std::move(step));
  run(std::move(steps));
}

}  // namespace parley::campaigns_tests
