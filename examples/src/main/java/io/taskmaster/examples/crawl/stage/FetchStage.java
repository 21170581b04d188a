package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gets a page over HTTP and hands its bytes to extract, if it is HTML. Thread-safe. */
public final class FetchStage implements Stage {

    /** The header of an extract task that says how its bytes are to be read, where the server told. */
    static final String CHARSET = "charset";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_PAGE_BYTES = 16 << 20;
    private static final Pattern CHARSET_OF_TYPE = Pattern.compile("charset=\"?([\\w.:-]+)");

    private final HttpClient http;
    private final URI address;

    /**
     * @param address where the site is served today
     */
    public FetchStage(HttpClient http, URI address) {
        this.http = http;
        this.address = address;
    }

    @Override
    public StageName name() {
        return StageName.FETCH;
    }

    @Override
    public int batch() {
        return 16;
    }

    @Override
    public Outcome work(LeasedTask task) throws InterruptedException {
        PageUrl page = PageUrl.of(task.pid());
        HttpRequest get = HttpRequest.newBuilder(address.resolve(page.path()))
                .timeout(TIMEOUT)
                .build();
        try {
            return judge(task, page, http.send(get, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_PAGE_BYTES)));
        } catch (IOException mayPass) {
            return new Outcome.Failed(mayPass.toString(), false);
        }
    }

    private static Outcome judge(LeasedTask task, PageUrl page, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        return switch (status / 100) {
            case 2 -> fetched(task, page, response);
            case 3 -> moved(task, page, response);
            case 4 -> new Outcome.Failed("HTTP " + status, status != 408 && status != 429);
            default -> new Outcome.Failed("HTTP " + status, false);
        };
    }

    private static Outcome fetched(LeasedTask task, PageUrl page, HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.startsWith("text/html")) {
            return Outcome.Forward.to();
        }
        Map<String, String> headers = new HashMap<>(Retries.header(task));
        Matcher charset = CHARSET_OF_TYPE.matcher(type);
        if (charset.find()) {
            headers.put(CHARSET, charset.group(1));
        }
        return Outcome.Forward.to(
                Enqueue.of(Queues.of(StageName.EXTRACT, page), task.pid(), Bytes.wrap(response.body()))
                        .headers(headers));
    }

    /** A page that moved is a page with one link. */
    private static Outcome moved(LeasedTask task, PageUrl page, HttpResponse<byte[]> response) {
        List<String> target = response.headers().allValues("location");
        return Outcome.Forward.to(
                Enqueue.of(Queues.of(StageName.LINKS, page), task.pid(), new PageLinks(page.uri(), target).encode()));
    }
}
