// program.py of the folder above, through what openapi-generator's java makes of the contract: the package parley.

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import parley.ApiClient;
import parley.ApiException;
import parley.api.AccessApi;
import parley.api.CampaignsApi;
import parley.api.ContactsApi;
import parley.model.*;

final class Program {
    static final int PEOPLE = 120;
    static final long FIRST = ThreadLocalRandom.current().nextLong(10_000_000, 20_000_000);

    interface Call {
        Object run() throws ApiException;
    }

    static void check(boolean isRight, Object what) {
        if (!isRight) throw new AssertionError("wrong: " + what);
    }

    static ApiException refused(Call call, Integer... statuses) {
        try {
            throw new AssertionError("wrong: " + call.run());
        } catch (ApiException error) {
            check(List.of(statuses).contains(error.getCode()), error);
            return error;
        }
    }

    static String phone(int n) {
        return "+4915%09d".formatted(FIRST * 10 + n);
    }

    public static void main(String[] arguments) throws ApiException, IOException, InterruptedException {
        String url = System.getenv("PARLEY_URL");
        String key = System.getenv("PARLEY_API_KEY");
        String name = "Program " + UUID.randomUUID().toString().substring(0, 8);
        ApiClient client = new ApiClient().setBasePath(url).setReadTimeout(30_000);
        client.setBearerToken(key);
        ContactsApi contacts = new ContactsApi(client);
        CampaignsApi campaigns = new CampaignsApi(client);

        // A list and a contact, and an import of the list's contacts, which are read page after page.
        UUID list = contacts.createList(new CreateListBody().name(name), null, null, null, null).getList().getUniqueId();
        CreateContactsBody body = new CreateContactsBody(new CreateContactBody().name(name).phone(phone(PEOPLE)));
        Contact one = contacts.createContacts(body, null, null, null, null).getContactResponse().getContact();
        check(phone(PEOPLE).equals(one.getPhone()), one);
        Path file = Files.createTempFile("people", ".csv");
        ModelImport job;
        try {
            String rows = IntStream.range(0, PEOPLE).mapToObj(n -> "Person " + n + "," + phone(n) + "\n").collect(Collectors.joining());
            Files.writeString(file, "name,phone\n" + rows);
            job = contacts.importContacts(file.toFile(), null, list, null, null, null, null, null, null, null).getImport();
        } finally {
            Files.delete(file);
        }
        for (Instant deadline = Instant.now().plusSeconds(60); Set.of(ImportStatus.QUEUED, ImportStatus.RUNNING).contains(job.getStatus()); ) {
            check(Instant.now().isBefore(deadline), job);
            Thread.sleep(100);
            job = contacts.getImport(job.getUniqueId(), null, null, null, null).getImport();
        }
        check(job.getStatus() == ImportStatus.FINISHED && job.getImported() == PEOPLE, job);
        Set<UUID> people = new HashSet<>();
        String cursor = null;
        do {
            ContactsResponse page = contacts.listContacts(
                    null, null, 50, null, null, null, null, list, null, null, null, cursor, null, null, null);
            for (Contact contact : page.getContacts()) people.add(contact.getUniqueId());
            cursor = page.getPaginationMeta().getNextCursor();
        } while (cursor != null);
        check(people.size() == PEOPLE, people.size());

        // A campaign for the list, and what is told of it until it has ended. streamEvents would wait for the end of the stream:
        // java.net.http reads it as it comes.
        CampaignMessage message = new CampaignMessage(
                new CampaignTextMessage().type(CampaignTextMessage.TypeEnum.TEXT).text("Hello {{name|there}}"));
        CreateCampaignBody plan = new CreateCampaignBody().name(name).message(message).addListIdsItem(list);
        UUID campaign = campaigns.createCampaign(plan, null, null, null, null).getCampaign().getUniqueId();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/events?wait=60")).header("X-API-Key", key)
                .timeout(Duration.ofSeconds(30)).build();
        boolean finished = false;
        var stream = HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
        check(stream.statusCode() == 200, stream);
        campaigns.startCampaign(campaign, null, null, null, null);
        try (var lines = stream.body()) {
            for (var each = lines.iterator(); !finished && each.hasNext(); ) {
                String line = each.next();
                if (!line.startsWith("data:")) continue;
                Object event = EventPayload.fromJson(line.substring(5)).getActualInstance();
                if (event instanceof CampaignStatusEvent status && status.getData().getCampaignId().equals(campaign)) {
                    finished = status.getData().getTo() == CampaignStatus.FINISHED;
                }
            }
        }
        check(finished, "the stream ended before the campaign");
        CampaignProgress progress = campaigns.getCampaign(campaign, null, null, null, null).getCampaign().getProgress();
        check(progress.getSent() + progress.getDelivered() + progress.getRead() == PEOPLE, progress);

        // What goes wrong: 409, 412, 422, 429.
        CreateTagBody tag = new CreateTagBody().label(name + " tag");
        contacts.createTag(tag, null, null, null, null);
        ApiException conflict = refused(() -> contacts.createTag(tag, null, null, null, null), 409);
        Problem problem = Problem.fromJson(conflict.getResponseBody());
        check(problem.getErrors().size() == 1 && problem.getErrors().get(0).getPointer().equals("/label"), problem);
        String etag = contacts.getListWithHttpInfo(list, null, null, null, null).getHeaders().get("ETag").get(0);
        contacts.updateList(list, new UpdateListBody().description("Changed"), null, etag, null, null, null);
        refused(() -> contacts.updateList(list, new UpdateListBody().description("Again"), null, etag, null, null, null), 412);
        contacts.createTag(new CreateTagBody().label(name + " other"), name, null, null, null);
        refused(() -> contacts.createTag(new CreateTagBody().label(name + " another"), name, null, null, null), 422);
        AccessApi stranger = new AccessApi(new ApiClient().setBasePath(url).setReadTimeout(30_000));
        LoginBody login = new LoginBody().email(list + "@example.com").password("wrong password");
        ApiException refusal = refused(() -> stranger.login(login, null, null, null), 401, 429);
        for (int attempt = 1; refusal.getCode() == 401 && attempt < 20; attempt++) {
            refusal = refused(() -> stranger.login(login, null, null, null), 401, 429);
        }
        check(refusal.getCode() == 429, refusal);
        check(Integer.parseInt(refusal.getResponseHeaders().get("Retry-After").get(0)) > 0, refusal);
        contacts.deleteList(list, null, null, null, null, null);
    }
}
