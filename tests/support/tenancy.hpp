#pragma once
// What is not an organization's: the closed lists that the tests of schema and statements go by. Every other table is a
// tenant's: organization_id comes first in its keys, and every statement on it names it.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

using Reasons = std::map<std::string_view, std::string_view>;

// Tables, with why they cannot bear organization_id first.
inline const Reasons& shared_tables() {
  static const Reasons tables{
      {"person", "one person may be a member of several organizations and signs in before any is chosen"},
      {"session", "one sign-in serves all of a person's organizations"},
      {"password_token", "the password is the person's, for all of their organizations"},
      {"known_network", "who signs in is of no organization yet"},
      {"sign_in_attempt", "who signs in is of no organization yet"},
      {"phone_directory", "a number belongs to one organization, which is found by it"},
      {"outbox", "events of all organizations in the order of their commits"},
      {"feed", "one row: where the feed stands"},
      {"feed_consumer", "who reads the feed"},
      {"feed_cursor", "how far another service's feed was applied"},
      {"feed_coverage", "what another service's feed can be relied on for"},
      {"parked_event", "events of another service's feed, by their position in it"},
      {"inbox", "whose a webhook is stands in it, and is found out when it is applied"},
      {"webhook_owner", "organizations and business accounts whose webhooks came, so that they take turns"},
      {"parked_element", "what webhooks brought for nobody who is known is kept too"},
      {"campaign_url", "who follows a link is of no organization: the URL's number finds whose it is"},
      {"contact_walk", "one row: how far the contacts of all organizations were compared"},
      {"schema_migration", "the migrations that were applied"},
  };
  return tables;
}

// Foreign keys between a tenant's table and one that is shared.
inline const Reasons& shared_references() {
  static const Reasons constraints{
      {"member_person_id_fkey", "who the member is"},
      {"phone_directory_organization_id_fkey", "whose the number is; dropped where the directory is on every server"},
  };
  return constraints;
}

// Statements on tenants' tables that are not for one organization, by their file.
inline const Reasons& shared_statements() {
  static const Reasons files{
      {"services/analytics/rollups/sql/clear_campaigns.sql", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_contacts.sql", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_descriptions.sql", "all is told anew by the feed"},
      {"services/analytics/rollups/sql/clear_messages.sql", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_organizations.sql", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/deleted_organizations.sql", "those that were deleted of late"},
      {"services/contacts/snapshot/sql/contacts.sql", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/campaigns.sql", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/conversations.sql", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/messages.sql", "what is told anew, whoever's it is"},
      {"services/conversations/campaigns/audience/sql/take.sql",
       "the next audience to be gathered, whoever's campaign it is"},
      {"services/conversations/campaigns/sql/fail_ended.sql",
       "what campaigns that have ended left, whoever's they were"},
      {"services/conversations/campaigns/sql/fold.sql",
       "counts of quarters that are over, whoever's campaign they are of"},
      {"services/conversations/campaigns/sql/forget_merged.sql",
       "merges whose contacts no open campaign is for, whoever's they are"},
      {"services/conversations/campaigns/sql/look.sql", "the campaigns that are Running, whoever's they are"},
      {"services/conversations/campaigns/sql/start_due.sql", "the campaigns whose time has come, whoever's they are"},
      {"services/conversations/dispatch/sql/depth.sql", "how much there is to send, whoever's it is"},
      {"services/conversations/dispatch/sql/doubt_forgotten.sql",
       "what dispatchers that are gone were sending, whoever's it was"},
      {"services/conversations/dispatch/sql/fail_expired.sql", "what could not be sent in time, whoever's it was"},
      {"services/conversations/dispatch/sql/fail_unknown.sql", "what nobody knows of for too long, whoever's it was"},
      {"services/conversations/dispatch/sql/left_chunks.sql", "what dispatchers that are gone left, whoever's it was"},
      {"services/conversations/dispatch/sql/numbers.sql",
       "the numbers that have something to send, whoever's they are"},
      {"services/organizations/members/sql/find_owned.sql", "the organizations of a person, for create-owner"},
      {"services/organizations/audit/sql/insert_of_person.sql",
       "what concerns a person is told to all their organizations"},
      {"services/organizations/credentials/sql/revoke_of_person.sql", "all keys of a person end at once"},
      {"services/organizations/rights/sql/is_live.sql", "the caller's own key may be of another organization"},
      {"services/organizations/organizations/sql/count.sql", "the organizations of the caller's person"},
      {"services/organizations/organizations/sql/page.sql", "the organizations of the caller's person"},
      {"services/organizations/people/sql/memberships.sql", "the organizations of the caller's person"},
      {"services/organizations/sessions/sql/find.sql", "the organizations of the session's person"},
      {"services/contacts/imports/sql/claim.sql", "the next import to be worked on, whoever's it is"},
      {"services/contacts/imports/sql/give_way.sql", "whether another's import waits"},
      {"services/contacts/imports/sql/sweep_chunks.sql", "what imports that have ended left, whoever's they are"},
      {"services/contacts/imports/sql/sweep_uploads.sql", "uploads that were given up, whoever's they are"},
      {"services/conversations/channel/templates/sql/expire_templates.sql",
       "a business account's webhooks tell of it, whoever is connected to it"},
      {"services/conversations/channel/templates/sql/old_limits.sql",
       "the organizations whose campaigns run, to be asked about one by one"},
      {"services/conversations/channel/templates/sql/set_status.sql",
       "a business account's webhooks tell of it, whoever is connected to it"},
      {"services/conversations/recovery/restore_holds/sql/doubt_queued.sql",
       "what waited at a backup, whoever's it was"},
      {"services/conversations/recovery/restore_holds/sql/held.sql",
       "the campaigns that wait for an operator, whoever's they are"},
      {"services/conversations/recovery/restore_holds/sql/suspects.sql",
       "what may have gone on since a backup, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/list_failed.sql", "what was given up, whoever's it was"},
      {"services/conversations/events/subscriptions/sql/replay_failed.sql", "what was given up, whoever's it was"},
      {"services/conversations/events/subscriptions/sql/sealed_webhooks.sql", "all that is to be sealed anew"},
      {"services/organizations/accounts/sql/sealed_accounts.sql", "all that is to be sealed anew"},
      {"services/organizations/accounts/sql/sealed_setups.sql", "all that is to be sealed anew"},
      {"services/organizations/credentials/sql/lock_maker.sql", "a key acts in all organizations of its person"},
      {"services/organizations/credentials/sql/revoke_made_by.sql", "a key made others in all that its person acts in"},
      {"services/organizations/organizations/sql/count_owned.sql", "the organizations of a person"},
      {"services/organizations/credentials/sql/home.sql", "an operator knows the key's id, not whose it is"},
      {"services/conversations/campaigns/audience_lists/sql/claim.sql", "the next list to be filled, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/claim.sql", "what is to be delivered next, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/take_checks.sql", "whose members are asked about next"},
      {"services/conversations/events/subscriptions/sql/doubt_all.sql",
       "what members may do may have changed anywhere"},
      {"services/conversations/events/subscriptions/sql/sweep_deliveries.sql", "what is too old, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/sweep_notices.sql", "what is too old, whoever's it is"},
      {"services/contacts/people/sql/tell_statuses.sql", "conversations may have lost any of them"},
      {"services/conversations/recovery/reconciliation/sql/next_contacts.sql",
       "the next contacts to be compared, whoever's they are"},
      {"common/removals/sql/look.sql", "how much is to be removed, whoever's it is"},
      {"common/removals/sql/take.sql", "what is to be removed next, whoever's it is"},
      {"common/chassis/idempotency/sql/prune.sql", "what is older than a day, whoever's it is"},
  };
  return files;
}

// One mention of a tenant's table in a statement that is not tied to one organization: "m: member".
// `statement` is the text of a .sql file with its fragments; `tables` are all tables that are tenants'.
std::vector<std::string> untied_tables(std::string_view statement, const std::set<std::string>& tables);

}  // namespace parley::support
