package io.taskmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The web page: a few files out of the class path, which ask {@code /v1/} for all that they show. Nothing of it comes from elsewhere, and browsers are told to take
 * nothing from elsewhere. Thread-safe.
 */
final class Page implements HttpService {

    /** Scripts, styles and data of this server alone; in no frame, and without forms that go anywhere. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final HeaderName CONTENT_SECURITY_POLICY = HeaderNames.create("Content-Security-Policy");

    /** Where it is, and what all of it is called in the table of all endpoints. */
    static final String PATH = "/";

    private static final String FIRST = "index.html";

    /** In the order in which a reader would open them. */
    static final List<String> FILES = List.of(
            FIRST,
            "style.css",
            "icon.svg",
            "main.js",
            "overview.js",
            "graph.js",
            "queues.js",
            "queue.js",
            "node.js",
            "views.js",
            "notices.js",
            "redrive.js",
            "flow.js",
            "chart.js",
            "payload.js",
            "bytes.js",
            "format.js",
            "dom.js",
            "api.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private record File(String text, String type, String tag) {

        static File load(String name) {
            try {
                String text = Resources.toString(Resources.getResource(Page.class, "page/" + name), UTF_8);
                String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
                return new File(text, type, "\"" + Hashing.sha256().hashString(text, UTF_8) + "\"");
            } catch (IOException e) {
                throw new UncheckedIOException("page/" + name, e);
            }
        }
    }

    /** Whether a path is that of one of its files. */
    static boolean isOf(String path) {
        return path.startsWith(PATH) && FILES.contains(path.substring(PATH.length()));
    }

    @Override
    public void routing(HttpRules rules) {
        for (String name : FILES) {
            File file = File.load(name);
            rules.get(PATH + name, (request, response) -> send(file, request, response));
            if (name.equals(FIRST)) {
                rules.get(PATH, (request, response) -> send(file, request, response));
            }
        }
    }

    private static void send(File file, ServerRequest request, ServerResponse response) {
        response.headers().set(CONTENT_SECURITY_POLICY, POLICY);
        response
                // Asked for again each time, so that a newer server is not spoken to by an older page.
                .header(HeaderNames.CACHE_CONTROL, "no-cache")
                .header(HeaderNames.ETAG, file.tag);
        if (request.headers().first(HeaderNames.IF_NONE_MATCH).orElse("").equals(file.tag)) {
            response.status(Status.NOT_MODIFIED_304).send();
        } else {
            response.header(HeaderNames.CONTENT_TYPE, file.type).send(file.text);
        }
    }
}
