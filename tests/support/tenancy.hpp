#pragma once
// Exceptions from tenancy: in all other tables organization_id comes first in the keys, and all statements name it.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

using Reasons = std::map<std::string_view, std::string_view>;

// Tables, with the reason why organization_id cannot come first.
inline const Reasons& shared_tables() {
  static const Reasons tables{
      {"person", "one person may be a member of several organizations and signs in before any is chosen"},
      {"session", "one sign-in serves all of a person's organizations"},
      {"password_token", "the password is the person's, for all of their organizations"},
      {"second_factor", "the second factor is the person's, for all of their organizations"},
      {"recovery_code", "the second factor is the person's, for all of their organizations"},
      {"known_network", "who signs in is of no organization yet"},
      {"mail", "who asks for a link to set a password is of no organization yet"},
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
      {"media_garbage", "what is to be deleted from the bucket, whosever it was"},
      {"campaign_url", "who follows a link is of no organization: the URL's number finds whose it is"},
      {"contact_walk", "one row: how far the contacts of all organizations were compared"},
      {"schema_functions", "the files of functions that were applied"},
      {"schema_migration", "the migrations that were applied"},
  };
  return tables;
}

// Foreign keys between a tenant's table and a shared one.
inline const Reasons& shared_references() {
  static const Reasons constraints{
      {"member_person_id_fkey", "who the member is"},
      {"phone_directory_organization_id_fkey", "whose the number is; dropped where the directory is on every server"},
  };
  return constraints;
}

// Statements on tenants' tables that are not restricted to one organization, by folder and name.
inline const Reasons& shared_statements() {
  static const Reasons statements{
      {"services/analytics/rollups/sql/clear_campaigns", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_contacts", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_descriptions", "all is told anew by the feed"},
      {"services/analytics/rollups/sql/clear_messages", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/clear_organizations", "all figures are counted anew from the feed"},
      {"services/analytics/rollups/sql/deleted_organizations", "those that were deleted of late"},
      {"services/contacts/activity/sql/expire", "what has been known for too long, whosever it is"},
      {"services/contacts/snapshot/sql/contacts", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/campaigns", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/conversations", "what is told anew, whoever's it is"},
      {"services/conversations/recovery/snapshot/sql/messages", "what is told anew, whoever's it is"},
      {"services/conversations/channel/media/sql/claim", "the next files to be copied, whoever's they are"},
      {"services/conversations/channel/media/sql/expire", "what has been kept long enough, whoever's it is"},
      {"services/conversations/channel/media/sql/look", "how much waits to be copied, whoever's it is"},
      {"services/conversations/campaigns/audience/sql/take",
       "the next audience to be gathered, whoever's campaign it is"},
      {"services/conversations/campaigns/sql/fail_ended", "what campaigns that have ended left, whoever's they were"},
      {"services/conversations/campaigns/sql/fold", "counts of quarters that are over, whoever's campaign they are of"},
      {"services/conversations/campaigns/sql/forget_merged",
       "merges whose contacts no open campaign is for, whoever's they are"},
      {"services/conversations/campaigns/experiments/sql/note_tested",
       "the experiments whose test part was sent, whoever's they are"},
      {"services/conversations/campaigns/experiments/sql/take_due",
       "the experiments whose time has come, whoever's they are"},
      {"services/conversations/campaigns/sql/look", "the campaigns that are Running, whoever's they are"},
      {"services/conversations/campaigns/sql/start_due", "the campaigns whose time has come, whoever's they are"},
      {"services/conversations/dispatch/sql/depth", "how much there is to send, whoever's it is"},
      {"services/conversations/dispatch/sql/doubt_forgotten",
       "what dispatchers that are gone were sending, whoever's it was"},
      {"services/conversations/dispatch/sql/fail_expired", "what could not be sent in time, whoever's it was"},
      {"services/conversations/dispatch/sql/fail_unknown", "what nobody knows of for too long, whoever's it was"},
      {"services/conversations/dispatch/sql/left_chunks", "what dispatchers that are gone left, whoever's it was"},
      {"services/conversations/dispatch/sql/numbers", "the numbers that have something to send, whoever's they are"},
      {"services/organizations/accounts/sql/business_account_owners",
       "whom the channel's news of a business account are for"},
      {"services/organizations/members/sql/find_owned", "the organizations of a person, for create-owner"},
      {"services/organizations/audit/sql/insert_failed_sign_in",
       "who could not sign in may be a member of several organizations"},
      {"services/organizations/audit/sql/insert_of_person",
       "what concerns a person is told to all their organizations"},
      {"services/organizations/credentials/sql/revoke_of_person", "all keys of a person end at once"},
      {"services/organizations/authorization/sql/is_live", "the caller's own key may be of another organization"},
      {"services/organizations/organizations/sql/count", "the organizations of the caller's person"},
      {"services/organizations/organizations/sql/page", "the organizations of the caller's person"},
      {"services/organizations/users/sql/memberships", "the organizations of the caller's person"},
      {"services/organizations/sessions/sql/find", "the organizations of the session's person"},
      {"services/contacts/bulk/sql/claim", "the next bulk change to be worked on, whoever's it is"},
      {"services/contacts/bulk/sql/give_way", "whether another's bulk change waits"},
      {"services/contacts/bulk/sql/sweep", "bulk changes that ended long ago, whoever's they are"},
      {"services/contacts/indexing/sql/see", "new indexes of attributes, whoever's they are"},
      {"services/contacts/indexing/sql/open", "new indexes of attributes, whoever's they are"},
      {"services/contacts/indexing/sql/count_open", "indexes of attributes that are not complete, whoever's they are"},
      {"services/contacts/indexing/sql/claim", "the next index to be filled, whoever's it is"},
      {"services/contacts/indexing/sql/sweep", "indexes that have been unused for long, whoever's they are"},
      {"services/contacts/imports/sql/claim", "the next import to be worked on, whoever's it is"},
      {"services/contacts/imports/sql/give_way", "whether another's import waits"},
      {"services/contacts/imports/sql/sweep_chunks", "what imports that have ended left, whoever's they are"},
      {"services/contacts/imports/sql/sweep_failed", "failed rows that were kept long enough, whoever's they are"},
      {"services/contacts/imports/sql/sweep_failed_imports",
       "imports whose failed rows are forgotten, whoever's they are"},
      {"services/contacts/imports/sql/sweep_uploads", "uploads that were given up, whoever's they are"},
      {"services/conversations/channel/templates/sql/learn",
       "a business account's webhooks tell of it, whoever is connected to it"},
      {"services/conversations/channel/templates/sql/old_limits",
       "the organizations whose campaigns run, to be asked about one by one"},
      {"services/conversations/recovery/restore_holds/sql/doubt_queued", "what waited at a backup, whoever's it was"},
      {"services/conversations/recovery/restore_holds/sql/held",
       "the campaigns that wait for an operator, whoever's they are"},
      {"services/conversations/recovery/restore_holds/sql/suspects",
       "what may have gone on since a backup, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/list_failed", "what was given up, whoever's it was"},
      {"services/conversations/events/subscriptions/sql/replay_failed", "what was given up, whoever's it was"},
      {"services/conversations/events/subscriptions/sql/sealed_webhooks", "all that is to be sealed anew"},
      {"services/organizations/accounts/sql/sealed_accounts", "all that is to be sealed anew"},
      {"services/organizations/accounts/sql/sealed_setups", "all that is to be sealed anew"},
      {"services/organizations/credentials/sql/lock_maker", "a key acts in all organizations of its person"},
      {"services/organizations/credentials/sql/revoke_made_by", "a key made others in all that its person acts in"},
      {"services/organizations/organizations/sql/count_owned", "the organizations of a person"},
      {"services/organizations/credentials/sql/home", "an operator knows the key's id, not whose it is"},
      {"services/conversations/campaigns/audience_lists/sql/claim", "the next list to be filled, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/claim", "what is to be delivered next, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/take_checks", "whose members are asked about next"},
      {"services/conversations/events/subscriptions/sql/doubt_all", "what members may do may have changed anywhere"},
      {"services/conversations/events/subscriptions/sql/sweep_deliveries", "what is too old, whoever's it is"},
      {"services/conversations/events/subscriptions/sql/sweep_notices", "what is too old, whoever's it is"},
      {"services/contacts/identities/sql/tell_statuses", "conversations may have lost any of them"},
      {"services/conversations/recovery/reconciliation/sql/next_contacts",
       "the next contacts to be compared, whoever's they are"},
      {"common/removals/sql/look", "how much is to be removed, whoever's it is"},
      {"common/removals/sql/take", "what is to be removed next, whoever's it is"},
      {"common/chassis/idempotency/sql/prune", "what is older than a day, whoever's it is"},
  };
  return statements;
}

// The references that are not tied to one organization: "m: member". `statement` has its fragments expanded.
std::vector<std::string> untied_tables(std::string_view statement, const std::set<std::string>& tables);

}  // namespace parley::support
