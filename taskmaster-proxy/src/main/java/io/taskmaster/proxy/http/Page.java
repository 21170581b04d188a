package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The web page: a few files from the class path, which call {@code /v1/} for all that they show. Nothing is loaded from
 * other sites, and the policy keeps browsers from doing so. Thread-safe.
 */
final class Page {

    /** The content security policy: scripts, styles and data of this server only, no frames, and no forms. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final int NOT_MODIFIED = 304;

    /** The path of the page, and the name of all its files in {@link io.taskmaster.proxy.access.Rule#TABLE}. */
    static final String PATH = "/";

    private static final String FIRST = "index.html";

    /** The files, in the order in which to read them. */
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

    /** Returns whether a path is that of one of the files. */
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

    private static Response answer(File file, ReceivedRequest request) {
        boolean known = request.header(HttpHeaderNames.IF_NONE_MATCH).orElse("").equals(file.tag);
        Response response = known
                ? Response.of(file.type, new byte[0]).withStatus(NOT_MODIFIED)
                : Response.of(file.type, file.text.getBytes(UTF_8));
        return response.with(SecurityHeaders.POLICY, POLICY)
                // Revalidated each time, so that an older page does not call a newer server.
                .with(HttpHeaderNames.CACHE_CONTROL.toString(), "no-cache")
                .with(HttpHeaderNames.ETAG.toString(), file.tag);
    }
}
