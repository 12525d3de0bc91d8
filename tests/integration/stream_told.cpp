// What a stream tells of: each type as the contract has it, resources as they are now, and only what a listener may
// see.
#include "common/events/campaign_changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/import_changes.hpp"
#include "common/events/quota_changes.hpp"
#include "common/events/template_changes.hpp"
#include "common/events/webhook_changes.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "gateway/openapi/document.hpp"
#include "tests/integration/stream_bed.hpp"
#include "tests/support/contract.hpp"

using namespace parley;
using namespace parley::stream_tests;

namespace {

using Permission = identity::Permission;
identity::PermissionSet only(std::initializer_list<Permission> permissions) {
  identity::PermissionSet out;
  for (const auto permission : permissions) out.add(permission);
  return out;
}

// One of each type, as the services tell it, with what they need of it for themselves.
events::Changes one_of_each(const Uuid& organization, const Uuid& contact, const Uuid& conversation,
                            const Uuid& message, const Uuid& note = model::new_uuid()) {
  const auto id = model::new_uuid();
  const model::Timestamp at{1'700'000'000'000};
  events::Changes out;
  out.add(events::ContactsCreated{organization, {contact, id}});
  out.add(events::ContactsUpdated{organization, {contact}});
  out.add(events::ContactsDeleted{organization, {id}});
  out.add(events::ContactMerged{organization, id, contact});
  out.add(events::ContactOptedOut{organization, contact, at});
  out.add(events::ContactOptedIn{organization, contact, at});
  out.add(events::MessageCreated{organization, conversation, contact, message, model::MessageDirection::InBound, at});
  out.add(events::MessageChanged{organization, conversation, contact, message, at});
  out.add(events::MessageStatusChanged{organization, conversation, contact, message, id, model::MessageStatus::Queued,
                                       model::MessageStatus::Failed, 131026, "Not a user.", at});
  out.add(events::ConversationCreated{organization, conversation, contact, model::ConversationInitiator::Contact});
  out.add(events::ConversationChanged{organization, conversation, contact});
  out.add(conversations::conversations::StatusChange{
      organization, conversation, contact, model::ConversationStatus::Active, model::ConversationStatus::Closed});
  out.add(events::NoteCreated{organization, conversation, contact, note, at});
  out.add(events::NoteChanged{organization, conversation, contact, note, at});
  out.add(events::NoteDeleted{organization, conversation, contact, note, at});
  out.add(events::CampaignStatusChanged{
      organization, id, model::CampaignStatus::Draft, model::CampaignStatus::Running, "", true, {id}});
  out.add(events::CampaignProgressed{organization, id, {}});
  out.add(events::CampaignReply{organization, id, at, at, true, true});
  out.add(events::CampaignClick{organization, id, at, at, false});
  out.add(events::AccountNoticed{organization, id, "account_update", "DISABLED_UPDATE",
                                 events::NoticeSeverity::Critical, "DISABLE", std::nullopt, at});
  out.add(events::TemplateChanged{
      organization, "168", "order_sent", "en_US", "UTILITY", "PAUSED", "for 3 hours", "RED", {id}, at});

  out.add(events::QuotaReached{organization, "contacts", 80, 5, 4, at});

  out.add(events::ImportStatusChanged{{organization, id, events::ImportStatus::Failed, "the list was deleted", id}});
  out.add(
      events::ImportProgressed{{organization, id, events::ImportStatus::Running, "", std::nullopt, 9, 5, 2, 1, 1, 40}});
  out.add(events::WebhookHealthChanged{organization, id, events::WebhookState::Disabled, at, "Failing", at});
  return out;
}

}  // namespace

TEST_SUITE("integration: streams, what they tell") {
  TEST_CASE("an event shows the message and the conversation as they are now, and nothing of deleted ones") {
    const Database database;
    const auto organization = model::new_uuid(), contact = model::new_uuid();
    const auto conversation = database.add_conversation(organization, contact);
    const auto message = database.add_message(organization, conversation, "Unread", 1);
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    events::Changes changes;
    changes.add(events::MessageCreated{
        organization, conversation, contact, message, model::MessageDirection::InBound, {1'700'000'000'000}});
    changes.add(events::ContactOptedOut{organization, contact, {1'700'000'000'001}});
    teller.tell(std::move(changes));
    teller.settle();
    const auto heard = heard_in(teller.listen(organization, begin));
    REQUIRE(heard.size() == 2);
    CHECK(heard[0].at("type").as_string() == "message.created");
    CHECK(heard[0].at("timestamp").as_string() == "2023-11-14T22:13:20.000Z");
    const auto& data = heard[0].at("data");
    CHECK(data.at("messageId").as_string() == message.text());
    CHECK(data.at("message").at("messageData").at("text").as_string() == "hello");
    CHECK(data.at("message").at("status").as_string() == "Unread");
    CHECK(data.at("conversation").at("uniqueId").as_string() == conversation.text());
    CHECK(data.at("conversation").at("numberOfUnreadMessages").as_int64() == 1);
    CHECK_FALSE(data.as_object().contains("organizationId"));
    CHECK(heard[1].at("type").as_string() == "contact.opted_out");
    CHECK(heard[1].at("data").at("contactId").as_string() == contact.text());

    database.execute("UPDATE conversation SET status = 'Deleted', tombstone = true");
    const auto later = heard_in(teller.listen(organization, begin));
    REQUIRE(later.size() == 2);
    CHECK(later[0].at("data").at("message").is_null());
    CHECK(later[0].at("data").at("conversation").is_null());
  }

  TEST_CASE("an event shows the note as it is now, and nothing of one that is gone or of a deleted conversation") {
    const Database database;
    const auto organization = model::new_uuid(), contact = model::new_uuid();
    const auto conversation = database.add_conversation(organization, contact);
    const auto other = database.add_conversation(organization, model::new_uuid());
    const auto note = database.add_note(organization, conversation), gone = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    const model::Timestamp at{1'700'000'000'000};
    events::Changes changes;
    changes.add(events::NoteCreated{organization, conversation, contact, note, at});
    changes.add(events::NoteChanged{organization, other, contact, gone, at});
    changes.add(events::NoteDeleted{organization, conversation, contact, gone, at});
    teller.tell(changes);
    teller.settle();
    teller.choice.conversation_id = conversation;
    const auto heard = heard_in(teller.listen(organization, begin));
    REQUIRE(heard.size() == 2);
    CHECK(heard[0].at("type").as_string() == "note.created");
    CHECK(heard[0].at("data").at("note").at("text").as_string() == "for members");
    CHECK(heard[0].at("data").at("note").at("writtenBy").at("type").as_string() == "Member");
    CHECK_FALSE(heard[0].at("data").as_object().contains("conversation"));
    CHECK(heard[1].at("type").as_string() == "note.deleted");
    CHECK(heard[1].at("data").at("noteId").as_string() == gone.text());
    CHECK_FALSE(heard[1].at("data").as_object().contains("note"));
    teller.choice.conversation_id = other;
    CHECK(heard_in(teller.listen(organization, begin)).at(0).at("data").at("note").is_null());

    database.execute("UPDATE conversation SET status = 'Deleted', tombstone = true");
    teller.choice.conversation_id = conversation;
    CHECK(heard_in(teller.listen(organization, begin)).at(0).at("data").at("note").is_null());
  }

  TEST_CASE("who looks at a conversation is told to the others who may see it, without an id, and to nobody later") {
    namespace stream = conversations::stream;
    const Database database;
    const auto organization = model::new_uuid(), conversation = model::new_uuid(), member = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    struct Ear {
      std::string heard;
      bool over = false;
    };
    const auto read = [](Teller& from, Uuid of, Ear& ear) -> awaitable<void> {
      const auto listener = co_await from.open(of, std::nullopt, 60s);
      for (auto piece = co_await listener->next(); !piece.empty(); piece = co_await listener->next())
        ear.heard += piece;
      ear.over = true;
    };
    Ear other, own, blind, elsewhere, foreign;
    const auto listen = [&](Ear& ear, const Uuid& of) {
      teller.loop.launch(read(teller, of, ear));
      teller.loop.until([&] { return !ear.heard.empty(); });
    };
    listen(other, organization);
    listen(foreign, model::new_uuid());
    teller.choice.member_id = member;
    listen(own, organization);
    teller.choice.member_id = model::new_uuid();
    teller.choice.permissions = only({Permission::get_contact, Permission::get_campaign});
    listen(blind, organization);
    teller.choice.permissions = identity::PermissionSet::all();
    teller.choice.conversation_id = model::new_uuid();
    listen(elsewhere, organization);
    teller.choice.conversation_id.reset();
    teller.hub.tell(organization, {stream::kPresence, conversation, {}, member}, "{}");
    teller.tell(std::vector<Uuid>{organization}, conversation);  // conversation.status, which ends the wait
    teller.loop.until([&] { return own.heard.find("conversation.status") != own.heard.npos; });
    teller.loop.until([&] { return other.heard.find("conversation.status") != other.heard.npos; });
    CHECK(other.heard.find("\n\nevent: conversation.presence\ndata: {}\n\n") != other.heard.npos);
    for (const auto* ear : {&own, &blind, &elsewhere, &foreign}) CHECK(ear->heard.find("presence") == ear->heard.npos);
    teller.settle();
    CHECK(types_in(teller.listen(organization, begin)) == std::vector<std::string>{"conversation.status"});
    teller.hub.stop();
    teller.loop.until([&] { return other.over && own.over && blind.over && elsewhere.over && foreign.over; });
  }

  TEST_CASE("each type is told as the contract has it, whatever else the services tell each other of it") {
    const Database database;
    const auto organization = model::new_uuid(), contact = model::new_uuid();
    const auto conversation = database.add_conversation(organization, contact);
    const auto message = database.add_message(organization, conversation, "Unread", 1);
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    auto json = one_of_each(organization, contact, conversation, message, database.add_note(organization, conversation))
                    .json()
                    .text;
    for (std::size_t at = 0; (at = json.find(R"(,"organizationId":)", at)) != json.npos;)  // a member of later versions
      at = json.insert(at, R"(,"internal":"not for others")").find("organizationId", at);
    teller.tell(model::RawJson{json});
    teller.tell(std::vector<Uuid>{organization});
    teller.settle();
    const auto text = teller.listen(organization, begin);
    CHECK(text.find("internal") == text.npos);
    auto types = types_in(text);
    REQUIRE(types.size() == conversations::public_events::kTypes.size() + 1);
    types.pop_back();
    CHECK(types == std::vector<std::string>(conversations::public_events::kTypes.begin(),
                                            conversations::public_events::kTypes.end()));
    const support::Contract contract(json_of(std::string(gateway::openapi_json)));
    std::string last;
    for (const auto& heard : read_events(text, last))
      for (const auto& fault : contract.check_event(heard.data)) FAIL_CHECK(fault);
    const auto resets = read_events(teller.listen(organization, {}, 0s, true), last);
    REQUIRE_FALSE(resets.empty());
    for (const auto& heard : resets) {
      CHECK(heard.event == "reset");
      CHECK(contract.check_event(heard.data) == support::Faults{});
    }
  }

  TEST_CASE("a listener hears what their permissions let them see, and goes on behind it") {
    const Database database;
    const auto organization = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    teller.tell(one_of_each(organization, model::new_uuid(), model::new_uuid(), model::new_uuid()));
    teller.tell(std::vector<Uuid>{organization});  // conversation.status
    teller.settle();
    const auto hear = [&](identity::PermissionSet permissions, std::optional<Position> after) {
      teller.choice.permissions = permissions;
      return teller.listen(organization, after);
    };
    const std::vector<std::string> of_campaigns{"campaign.status", "campaign.progress", "campaign.reply",
                                                "campaign.click"};
    const std::vector<std::pair<Permission, std::string>> kinds{{Permission::get_contact, "contact."},
                                                                {Permission::get_campaign, "campaign."},
                                                                {Permission::get_phone_numbers, "account."},
                                                                {Permission::get_message_templates, "template."},
                                                                {Permission::get_organization, "quota."},
                                                                {Permission::bulk_import_contacts, "import."},
                                                                {Permission::update_integration_settings, "webhook."}};
    for (const auto& [permission, prefix] : kinds) {
      const auto types = types_in(hear(only({permission}), begin));
      CHECK_FALSE(types.empty());
      for (const auto& type : types) CHECK(type.starts_with(prefix));
    }
    const auto text = hear(only({Permission::get_campaign}), begin);
    CHECK(types_in(text) == of_campaigns);
    CHECK(types_in(hear(only({Permission::get_contact, Permission::get_campaign}), begin)).size() == 10);
    CHECK(types_in(hear(only({Permission::get_conversation, Permission::get_message}), begin)).size() == 10);
    // Words are shown by messages' events: they take the permission of messages too.
    CHECK(types_in(hear(only({Permission::get_message}), begin)).empty());
    const auto without_words = types_in(hear(only({Permission::get_conversation}), begin));
    CHECK(without_words.size() == 7);
    for (const auto& type : without_words) CHECK((type.starts_with("conversation.") || type.starts_with("note.")));

    // Each of what was heard can be gone on behind, with other permissions as well; the end of the stream is behind
    // all.
    std::string last;
    const auto heard = read_events(text, last);
    CHECK(place_after(text)->position == begin->position + 2);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const auto place = Position::parse(heard[i].id);
      const auto rest = types_in(hear(only({Permission::get_campaign}), place));
      CHECK(rest ==
            std::vector<std::string>(of_campaigns.begin() + static_cast<std::ptrdiff_t>(i) + 1, of_campaigns.end()));
      CHECK(types_in(hear(only({Permission::get_conversation}), place)) ==
            std::vector<std::string>{"conversation.status"});
    }
    CHECK(types_in(hear(identity::PermissionSet::all(), Position::parse(last))).empty());

    // One who is live hears it as well.
    teller.choice.permissions = only({Permission::get_campaign});
    std::string live;
    int over = 0;
    const auto read = [](Teller& from, Uuid of, std::string& out, int& ended) -> awaitable<void> {
      const auto listener = co_await from.open(of, std::nullopt, 60s);
      for (auto piece = co_await listener->next(); !piece.empty(); piece = co_await listener->next()) out += piece;
      ++ended;
    };
    teller.loop.launch(read(teller, organization, live, over));
    teller.loop.until([&] { return !live.empty(); });
    teller.tell(std::vector<Uuid>{organization});
    teller.tell(one_of_each(organization, model::new_uuid(), model::new_uuid(), model::new_uuid()));
    teller.loop.until([&] { return live.find("campaign.click") != live.npos; });
    CHECK(types_in(live) == of_campaigns);
    teller.hub.stop();
    teller.loop.until([&] { return over == 1; });
  }

  TEST_CASE("a listener hears the types, the conversation and the campaign that it asks for") {
    using conversations::stream::Choice;
    const Database database;
    const auto organization = model::new_uuid(), conversation = model::new_uuid(), campaign = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    const auto status = [&](const Uuid& of, std::optional<Uuid> of_campaign) {
      return events::MessageStatusChanged{organization,
                                          of,
                                          model::new_uuid(),
                                          model::new_uuid(),
                                          of_campaign,
                                          model::MessageStatus::Queued,
                                          model::MessageStatus::Sent,
                                          {},
                                          {},
                                          {1'700'000'000'000}};
    };
    events::Changes changes;
    changes.add(status(conversation, {}));
    changes.add(status(conversation, campaign));
    changes.add(status(model::new_uuid(), model::new_uuid()));
    changes.add(events::ConversationChanged{organization, conversation, model::new_uuid()});
    changes.add(events::ConversationChanged{organization, model::new_uuid(), model::new_uuid()});
    changes.add(events::CampaignProgressed{organization, campaign, {}});
    changes.add(events::CampaignProgressed{organization, model::new_uuid(), {}});
    changes.add(events::ContactsUpdated{organization, {model::new_uuid()}});
    changes.add(events::ContactsCreated{organization, {model::new_uuid()}, model::new_uuid()});
    teller.tell(changes);
    teller.settle();
    const auto hear = [&](Choice choice) {
      choice.permissions = identity::PermissionSet::all();
      teller.choice = choice;
      return types_in(teller.listen(organization, begin));
    };
    const auto types = [](std::initializer_list<std::string_view> names) {
      Choice::Types out;
      for (const auto name : names)
        out.set(static_cast<std::size_t>(std::ranges::find(conversations::public_events::kTypes, name) -
                                         conversations::public_events::kTypes.begin()));
      return out;
    };
    CHECK(hear({}) == Types{"message.status", "conversation.changed", "conversation.changed", "campaign.progress",
                            "campaign.progress", "contact.updated"});
    CHECK(hear({.campaign_messages = true}).size() == 8);
    CHECK(hear({.types = types({"contact.created"})}).empty());
    CHECK(hear({.types = types({"contact.created"}), .imported_contacts = true}) == Types{"contact.created"});
    CHECK(hear({.types = types({"message.status"})}) == Types{"message.status"});
    CHECK(hear({.types = types({"message.status"}), .campaign_messages = true}).size() == 3);
    CHECK(hear({.types = types({"contact.updated", "campaign.progress"})}) ==
          Types{"campaign.progress", "campaign.progress", "contact.updated"});
    CHECK(hear({.conversation_id = conversation}) == Types{"message.status", "conversation.changed"});
    CHECK(hear({.conversation_id = conversation, .campaign_messages = true}) ==
          Types{"message.status", "message.status", "conversation.changed"});
    CHECK(hear({.campaign_id = campaign}) == Types{"message.status", "campaign.progress"});
    CHECK(hear({.conversation_id = conversation, .campaign_id = campaign}) == Types{"message.status"});
    CHECK(hear({.types = types({"account.notice"})}).empty());

    // What follows is heard behind what was not chosen.
    teller.choice = {.permissions = identity::PermissionSet::all(), .types = types({"account.notice"})};
    const auto place = place_after(teller.listen(organization, begin));
    CHECK(place->position == begin->position + 1);
    teller.choice.types = types({"conversation.status"});
    teller.tell(std::vector<Uuid>{organization});
    teller.settle();
    CHECK(types_in(teller.listen(organization, place)) == Types{"conversation.status"});
  }
}
