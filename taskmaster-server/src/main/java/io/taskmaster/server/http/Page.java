package io.taskmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The web page: a few files out of the class path, which ask {@code /v1/} for all that they show. Nothing of it comes from elsewhere, and browsers are told to take
 * nothing from elsewhere. Thread-safe.
 */
final class Page {

    /** Scripts, styles and data of this server alone; in no frame, and without forms that go anywhere. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final int NOT_MODIFIED = 304;

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

    private Page() {}

    static void addTo(Routes routes) {
        for (String name : FILES) {
            File file = File.load(name);
            routes.get(PATH + name, request -> answer(file, request.request()));
            if (name.equals(FIRST)) {
                routes.get(PATH, request -> answer(file, request.request()));
            }
        }
    }

    private static Response answer(File file, Request request) {
        boolean known = request.header(HttpHeaderNames.IF_NONE_MATCH).orElse("").equals(file.tag);
        Response response = known
                ? Response.of(file.type, new byte[0]).withStatus(NOT_MODIFIED)
                : Response.of(file.type, file.text.getBytes(UTF_8));
        return response.with(SafeHeaders.POLICY, POLICY)
                // Asked for again each time, so that a newer server is not spoken to by an older page.
                .with(HttpHeaderNames.CACHE_CONTROL.toString(), "no-cache")
                .with(HttpHeaderNames.ETAG.toString(), file.tag);
    }
}
