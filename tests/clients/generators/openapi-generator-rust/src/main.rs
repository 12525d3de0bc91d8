// program.py of the folder above, through what openapi-generator's rust makes of the contract: the crate parley.
use std::collections::HashSet;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::time::{Duration, Instant};

use parley::apis::configuration::Configuration;
use parley::apis::{access_api, campaigns_api, contacts_api, Error};
use parley::models::{self, CampaignStatus, CreatedContactOrContactsResponse, ImportStatus};
use reqwest::StatusCode;
use uuid::Uuid;

const PEOPLE: usize = 120;

// What a call met: the status, and the body as text.
fn refused<T: Debug, E: Debug>(answer: Result<T, Error<E>>) -> (StatusCode, String) {
    match answer {
        Err(Error::ResponseError(refusal)) => (refusal.status, refusal.content),
        other => panic!("not refused: {other:?}"),
    }
}

fn tag(name: &str, what: &str) -> models::CreateTagBody {
    models::CreateTagBody::new(format!("{name} {what}"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    let (url, key) = (std::env::var("PARLEY_URL")?, std::env::var("PARLEY_API_KEY")?);
    let random = Uuid::new_v4();
    let name = format!("Program {}", &random.to_string()[..8]);
    let first = 10_000_000 + random.as_u128() % 10_000_000;
    let phone = |n: usize| format!("+4915{:09}", first * 10 + n as u128);
    let client = reqwest::Client::builder().timeout(Duration::from_secs(60)).build()?;
    let stranger = Configuration { base_path: url.clone(), client: client.clone(), ..Configuration::default() };
    let parley = Configuration { bearer_access_token: Some(key.clone()), ..stranger.clone() };

    // A list and a contact, and an import of the list's contacts, which are read page after page.
    let body = models::CreateListBody::new(name.clone());
    let list = contacts_api::create_list(&parley, body, None, None, None, None).await?.list.unique_id;
    let list_id = list.to_string();
    let body = models::CreateContactBody::new(name.clone(), phone(PEOPLE));
    let body = models::CreateContactsBody::CreateContactBody(Box::new(body));
    match contacts_api::create_contacts(&parley, body, None, None, None, None).await? {
        CreatedContactOrContactsResponse::ContactResponse(one) => assert_eq!(one.contact.phone, phone(PEOPLE)),
        several => panic!("several contacts: {several:?}"),
    }
    let file = std::env::temp_dir().join(format!("{name}.csv"));
    let rows: String = (0..PEOPLE).map(|n| format!("Person {n},{}\n", phone(n))).collect();
    std::fs::write(&file, format!("name,phone\n{rows}"))?;
    let begun =
        contacts_api::import_contacts(&parley, file.clone(), None, Some(&list_id), None, None, None, None, None, None, None).await;
    std::fs::remove_file(file)?;
    let mut job = begun?.import;
    let deadline = Instant::now() + Duration::from_secs(60);
    while matches!(job.status, ImportStatus::Queued | ImportStatus::Running) {
        assert!(Instant::now() < deadline, "{job:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        job = contacts_api::get_import(&parley, &job.unique_id.to_string(), None, None, None, None).await?.import;
    }
    assert_eq!((job.status, job.imported), (ImportStatus::Finished, PEOPLE as i64));
    let (mut contacts, mut cursor) = (HashSet::new(), None::<String>);
    loop {
        let page = contacts_api::list_contacts(
            &parley, None, None, Some(50), None, None, None, None, Some(&list_id), None, None, None, cursor.as_deref(), None, None, None,
        )
        .await?;
        contacts.extend(page.contacts.iter().map(|contact| contact.unique_id));
        cursor = page.pagination_meta.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(contacts.len(), PEOPLE);

    // A campaign for the list, and what is told of it until it has ended. stream_events would wait for the end of the stream:
    // reqwest reads it as it comes.
    let text = models::CampaignTextMessage::new("Hello {{name|there}}".into(), models::campaign_text_message::Type::Text);
    let mut plan = models::CreateCampaignBody::new(name.clone(), models::CampaignMessage::CampaignTextMessage(Box::new(text)));
    plan.list_ids = Some(vec![list]);
    let campaign = campaigns_api::create_campaign(&parley, plan, None, None, None, None).await?.campaign.unique_id;
    let id = campaign.to_string();
    let mut stream = client.get(format!("{url}/api/events")).bearer_auth(&key).send().await?.error_for_status()?;
    campaigns_api::start_campaign(&parley, &id, None, None, None, None).await?;
    let (mut rest, mut finished) = (Vec::new(), false);
    while !finished {
        rest.extend(stream.chunk().await?.expect("the stream ended before the campaign"));
        while let Some(end) = rest.iter().position(|&octet| octet == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            if let Some(data) = line.strip_prefix(b"data:") {
                // What is none of these is of a type that came later.
                if let Ok(models::EventPayload::CampaignStatusEvent(event)) = serde_json::from_slice(data) {
                    finished |= event.data.campaign_id == campaign && event.data.to == CampaignStatus::Finished;
                }
            }
        }
    }
    let progress = campaigns_api::get_campaign(&parley, &id, None, None, None, None).await?.campaign.progress;
    assert_eq!(progress.sent + progress.delivered + progress.read, PEOPLE as i64, "{progress:?}");

    // What goes wrong: 409, 412, 422, 429. The functions give no header fields: what they say is read with reqwest.
    contacts_api::create_tag(&parley, tag(&name, "tag"), None, None, None, None).await?;
    let (status, problem) = refused(contacts_api::create_tag(&parley, tag(&name, "tag"), None, None, None, None).await);
    let problem: models::Problem = serde_json::from_str(&problem)?;
    assert_eq!((status, problem.errors[0].pointer.as_str()), (StatusCode::CONFLICT, "/label"));
    let answer = client.get(format!("{url}/api/lists/{list_id}")).bearer_auth(&key).send().await?.error_for_status()?;
    let etag = Some(answer.headers()["etag"].to_str()?);
    let changed = models::UpdateListBody { description: Some("Changed".into()), ..models::UpdateListBody::new() };
    contacts_api::update_list(&parley, &list_id, changed.clone(), None, etag, None, None, None).await?;
    let (status, _) = refused(contacts_api::update_list(&parley, &list_id, changed, None, etag, None, None, None).await);
    assert_eq!(status, StatusCode::PRECONDITION_FAILED);
    contacts_api::create_tag(&parley, tag(&name, "other"), Some(&name), None, None, None).await?;
    let (status, _) = refused(contacts_api::create_tag(&parley, tag(&name, "another"), Some(&name), None, None, None).await);
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut status = StatusCode::UNAUTHORIZED;
    for _ in 0..20 {
        let login = models::LoginBody::new(format!("{list_id}@example.com"), "wrong password".into());
        (status, _) = refused(access_api::login(&stranger, login, None, None, None).await);
        if status != StatusCode::UNAUTHORIZED {
            break;
        }
    }
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    contacts_api::delete_list(&parley, &list_id, None, None, None, None, None).await?;
    Ok(())
}
