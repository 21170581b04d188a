package io.taskmaster.examples.adsquality.stage;

import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.JUDGE;

import io.taskmaster.examples.adsquality.market.AdServer;
import io.taskmaster.examples.adsquality.measure.Query;
import io.taskmaster.examples.adsquality.measure.ServedAd;
import io.taskmaster.examples.adsquality.measure.ServedAds;
import io.taskmaster.stage.Handler;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Task;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** The handler that sends queries to the ad server. Thread-safe. */
final class IssueHandler implements Handler<Query> {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI server;

    IssueHandler(URI server) {
        this.server = server;
    }

    @Override
    public Outcome handle(Task<Query> task) throws IOException, InterruptedException {
        Query query = task.payload();
        HttpRequest get = HttpRequest.newBuilder(AdServer.uri(server, query.words()))
                .timeout(TIMEOUT)
                .build();
        HttpResponse<String> response = http.send(get, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            return Outcome.retry("HTTP " + response.statusCode());
        }
        List<ServedAd> ads = response.body().lines().map(ServedAd::parse).toList();
        return Outcome.handOff(
                JUDGE.task(task.member(), new ServedAds(query, ads)).last());
    }
}
