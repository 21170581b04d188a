package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.CrawlQueues.EXTRACT;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.LINKS;

import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.model.Bytes;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The handler that fetches a page over HTTP and hands its bytes on to extract, if it is HTML. Thread-safe. */
final class FetchHandler implements Handler<Bytes> {

    /** The header of an extract task with the charset of its bytes, if the server named one. */
    static final String CHARSET = "charset";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_PAGE_BYTES = 16 << 20;
    private static final Pattern CHARSET_OF_TYPE = Pattern.compile("charset=\"?([\\w.:-]+)");

    private final HttpClient http;
    private final URI address;

    /**
     * Creates the handler.
     *
     * @param address the address that serves the site in this run
     */
    FetchHandler(HttpClient http, URI address) {
        this.http = http;
        this.address = address;
    }

    @Override
    public Outcome handle(Task<Bytes> task) throws InterruptedException {
        PageUrl page = PageUrl.of(task.pid());
        HttpRequest get = HttpRequest.newBuilder(address.resolve(page.path()))
                .timeout(TIMEOUT)
                .build();
        try {
            return judge(task, page, http.send(get, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_PAGE_BYTES)));
        } catch (IOException mayPass) {
            return Outcome.retry(mayPass.toString());
        }
    }

    private static Outcome judge(Task<Bytes> task, PageUrl page, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        return switch (status / 100) {
            case 2 -> fetched(task, response);
            case 3 -> moved(task, page, response);
            case 4 -> status == 408 || status == 429 ? Outcome.retry("HTTP " + status) : Outcome.dead("HTTP " + status);
            default -> Outcome.retry("HTTP " + status);
        };
    }

    private static Outcome fetched(Task<Bytes> task, HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.startsWith("text/html")) {
            return Outcome.done();
        }
        Map<String, String> headers = new HashMap<>(Retries.header(task));
        Matcher charset = CHARSET_OF_TYPE.matcher(type);
        if (charset.find()) {
            headers.put(CHARSET, charset.group(1));
        }
        return Outcome.handOff(
                EXTRACT.task(task.member(), Bytes.wrap(response.body())).headers(headers));
    }

    /** Handles a redirect as a page with one link. */
    private static Outcome moved(Task<Bytes> task, PageUrl page, HttpResponse<byte[]> response) {
        List<String> target = response.headers().allValues("location");
        return Outcome.handOff(LINKS.task(task.member(), new PageLinks(page.uri(), target)));
    }
}
