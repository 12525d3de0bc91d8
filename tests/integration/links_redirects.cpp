// Where links lead and what is counted, with the database there.
#include <random>

#include "conversations/campaigns/links/code.hpp"
#include "tests/integration/links_bed.hpp"
#include "tests/integration/pg_loop.hpp"

using namespace parley;
using namespace parley::links_tests;
using conversations::links::code_of;

namespace {

constexpr auto kShop = "https://example.com/shop?x=1&y=2", kNews = "https://example.com/news";

struct Bed {
  Campaign campaign{pg_tests::shared_server()};
  Replica replica{campaign.url};
  std::vector<Url> urls = replica.urls(campaign, {kShop, kNews});

  std::string code(int ordinal, std::size_t url = 0) const { return code_of(urls[url].id, ordinal, urls[url].secret); }
};

std::string told(const std::vector<model::CampaignLink>& links) {
  std::string out;
  for (const auto& link : links)
    out += link.url + " " + std::to_string(link.clicks) + " " + std::to_string(link.people) + " " +
           std::to_string(link.previews) + "\n";
  return out;
}

}  // namespace

TEST_SUITE("integration: links") {
  TEST_CASE("URLs keep their numbers and secrets, whoever adds them and how often") {
    Bed bed;
    const auto again = bed.replica.urls(bed.campaign, {kNews, "https://example.com/third", kShop, kNews});
    CHECK_EQ(again[0].id, bed.urls[1].id);
    CHECK_EQ(again[0].secret, bed.urls[1].secret);
    CHECK_EQ(again[2].id, bed.urls[0].id);
    CHECK_EQ(again[3].id, bed.urls[1].id);
    CHECK_EQ(again[1].url, "https://example.com/third");
    CHECK_EQ(again[0].secret.size(), 16);
    CHECK_NE(bed.urls[0].secret, bed.urls[1].secret);
    CHECK(bed.replica.urls(bed.campaign, {}).empty());
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM campaign_url"), 3);
    CHECK_EQ(bed.campaign.number("SELECT max(id) - min(id) FROM campaign_url"), 2);
  }

  TEST_CASE("a link leads to its URL and is counted; a forged one leads nowhere") {
    Bed bed;
    const auto& visit = bed.replica.visit(bed.code(3));
    CHECK_EQ(visit.status(), 302);
    CHECK_EQ(visit.location(), kShop);
    CHECK(visit.response->head.find("Cache-Control: no-store\r\n") != std::string::npos);
    CHECK(visit.response->body.empty());
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click WHERE ordinal = 3 AND first AND NOT preview"), 1);
    CHECK_EQ(bed.replica.visit(bed.code(3, 1)).location(), kNews);

    auto forged = bed.code(3);
    forged.back() = forged.back() == 'A' ? 'B' : 'A';
    for (const auto& wrong :
         {forged, std::string("x"), std::string("AAAAAAAAAAAAAAAA"), code_of(bed.urls[0].id, 3, bed.urls[1].secret),
          code_of(999'999, 3, bed.urls[0].secret)}) {
      const auto& answer = bed.replica.visit(wrong);
      CHECK_EQ(answer.status(), 404);
      CHECK_EQ(answer.response->content_type, "application/problem+json");
      CHECK_EQ(answer.location(), "");
    }
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 2);
    bed.campaign.check_figures();
  }

  TEST_CASE("repeats, people and previews are told apart, of each URL") {
    Bed bed;
    for (const int ordinal : {1, 1, 2, 1}) bed.replica.visit(bed.code(ordinal));
    bed.replica.visit(bed.code(1, 1));
    for (int i = 0; i < 2; ++i) CHECK_EQ(bed.replica.visit(bed.code(2), kWhatsApp).location(), kShop);
    const auto& head = bed.replica.visit(bed.code(5, 1), kBrowser, http::Method::head);
    CHECK_EQ(head.status(), 302);
    CHECK_EQ(head.location(), kNews);
    CHECK_EQ(told(bed.replica.figures(bed.campaign)), std::string(kShop) + " 4 2 2\n" + kNews + " 1 1 1\n");
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM engagement"), 2);
    CHECK_EQ(bed.campaign.number("SELECT sum(n) FROM campaign_count WHERE what = 'Engaged'"), 2);
    bed.campaign.check_figures();
  }

  TEST_CASE("links of tests and of deleted campaigns lead on, uncounted") {
    Bed bed;
    CHECK_EQ(bed.replica.visit(bed.code(0)).location(), kShop);
    CHECK_EQ(bed.replica.visit(bed.code(11)).location(), kShop);  // whose target is gone
    bed.campaign.sql().rows("UPDATE campaign SET deleted_at = now(), status = 'Finished'");
    CHECK_EQ(bed.replica.visit(bed.code(1)).location(), kShop);
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT (SELECT count(*) FROM click) + (SELECT count(*) FROM engagement) + "
                                 "(SELECT count(*) FROM campaign_count) + (SELECT count(*) FROM outbox)"),
             0);
  }

  TEST_CASE("a URL is asked for once, and not at all for what is no code") {
    Bed bed;
    const auto before = bed.replica.database.stats(pg::Lane::read).statements;
    for (int ordinal = 1; ordinal <= 10; ++ordinal) bed.replica.visit(bed.code(ordinal));
    bed.replica.visit("nothing");
    CHECK_EQ(bed.replica.database.stats(pg::Lane::read).statements - before, 1);
  }

  TEST_CASE("more URLs than are kept lead where they should, the ones in use without being asked for again") {
    Bed bed;
    std::vector<std::string> many;
    for (int i = 0; i < 2'500; ++i) many.push_back("https://example.com/" + std::to_string(i));
    const auto urls = bed.replica.urls(bed.campaign, many);
    for (std::size_t i = 0; i < many.size(); i += 50) {
      for (auto j = i; j < i + 50; ++j) bed.replica.start(code_of(urls[j].id, 1, urls[j].secret), kWhatsApp);
      bed.replica.until([&] { return bed.replica.all_answered(); });
      CHECK_EQ(bed.replica.visit(bed.code(2)).location(), kShop);
    }
    CHECK_EQ(bed.replica.visit(code_of(urls[0].id, 1, urls[0].secret)).location(), many[0]);
    CHECK_LE(bed.replica.database.stats(pg::Lane::read).statements, 2'510);
  }

  TEST_CASE("a crowd at two processes: each click once, each person once, many a commit") {
    Campaign campaign(pg_tests::shared_server(), 40);
    Replica one(campaign.url), other(campaign.url);
    const auto urls = one.urls(campaign, {kShop, kNews});
    const auto elsewhere = model::new_uuid();
    campaign.add(model::new_uuid(), elsewhere, 5);
    std::mt19937 random(20260131);
    for (int i = 0; i < 800; ++i) {
      const auto& url = urls[random() % 2];
      (random() % 2 == 0 ? one : other)
          .start(code_of(url.id, 1 + static_cast<int>(random() % 40), url.secret),
                 random() % 10 == 0 ? kWhatsApp : kBrowser);
    }
    one.until([&] {
      other.turn();
      return one.answered() + other.answered() > 0;
    });
    const auto answered = one.answered() + other.answered();
    const auto unawaited = one.clicks.stats().unawaited + other.clicks.stats().unawaited;  // on a slow machine
    CHECK_GE(static_cast<std::size_t>(campaign.number("SELECT count(*) FROM click")) + unawaited, answered);
    one.until([&] {
      other.turn();
      return one.all_answered() && other.all_answered() && one.clicks.waiting() + other.clicks.waiting() == 0;
    });
    CHECK_EQ(campaign.number("SELECT count(*) FROM click"), 800);
    CHECK_EQ(one.clicks.stats().committed + other.clicks.stats().committed, 800);
    CHECK_LT(one.clicks.stats().commits + other.clicks.stats().commits, 60);
    CHECK_EQ(campaign.number("SELECT count(*) FROM engagement"),
             campaign.number("SELECT count(DISTINCT ordinal) FROM click WHERE NOT preview"));
    campaign.check_figures();
    std::string wanted;
    for (const auto& row : campaign.sql().rows(
             "SELECT u.url, count(*) FILTER (WHERE NOT preview), count(DISTINCT ordinal) FILTER (WHERE NOT preview), "
             "count(*) FILTER (WHERE preview) FROM campaign_url u JOIN click c ON c.url_id = u.id GROUP BY u.id, u.url "
             "ORDER BY u.id"))
      wanted += row[0] + " " + row[1] + " " + row[2] + " " + row[3] + "\n";
    CHECK_EQ(told(one.figures(campaign)), wanted);
  }

  TEST_CASE("who replies and clicks at the same time in two processes is engaged once") {
    Campaign campaign(pg_tests::shared_server(), 60);
    Replica clicking(campaign.url);
    pg::Settings patient;
    patient.url = campaign.url;
    patient.write_wait = 1min;
    pg_tests::Loop replying(patient);
    replying.wait_until_available();
    const auto urls = clicking.urls(campaign, {kShop});
    std::mt19937 random(4711);
    const auto reply = [&](std::string message) -> awaitable<void> {
      auto transaction = co_await replying.pool.begin();
      conversations::engagement::CampaignCounters tally(campaign.organization);
      std::vector<conversations::engagement::Answer> answers(
          2, {Uuid::parse(message), model::new_uuid(), model::Timestamp::now()});
      co_await conversations::engagement::note_replies(transaction, campaign.organization, std::move(answers), tally);
      pg::Batch last;
      tally.add_to(last);
      co_await transaction.commit(std::move(last));
    };
    const auto messages = campaign.sql().column("SELECT message_id FROM target ORDER BY ordinal");
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto code = code_of(urls[0].id, static_cast<int>(i) + 1, urls[0].secret);
      const bool click_first = random() % 2 == 0;
      if (click_first) clicking.start(code);
      replying.launch(reply(messages[i]));
      if (!click_first) clicking.start(code);
      if (random() % 3 == 0) clicking.start(code);
      for (auto turns = random() % 3; turns > 0; --turns) clicking.turn();
    }
    clicking.until([&] {
      replying.context().restart();
      replying.context().run_one_for(1ms);
      return replying.running == 0 && clicking.all_answered();
    });
    CHECK_EQ(campaign.number("SELECT count(*) FROM engagement WHERE replies = 2 AND clicks >= 1"), 60);
    CHECK_EQ(campaign.number("SELECT sum(n) FROM campaign_count WHERE what = 'Engaged'"), 60);
    CHECK_EQ(campaign.number("SELECT sum(n) FROM campaign_count WHERE what = 'Replied'"), 60);
    CHECK_EQ(campaign.number("SELECT sum(n) FROM campaign_count WHERE what = 'Replies'"), 120);
    CHECK_EQ(campaign.number("SELECT sum(n) FROM campaign_count WHERE what LIKE 'People %'"), 60);
  }
}
