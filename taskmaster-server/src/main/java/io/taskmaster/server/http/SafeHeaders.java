package io.taskmaster.server.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.WritableHeaders;
import java.util.List;

/**
 * Headers that every answer of the HTTP port has: whatever it is, a browser makes nothing of it but what it is announced as, runs nothing in it, shows it
 * in no frame, and lets no other site load it. A handler that sends a page sets a policy of its own. Immutable.
 */
final class SafeHeaders {

    private static final List<Header> ALL = List.of(
            header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            header("X-Content-Type-Options", "nosniff"),
            header("Referrer-Policy", "no-referrer"),
            header("Cross-Origin-Resource-Policy", "same-origin"));

    private SafeHeaders() {}

    private static Header header(String name, String value) {
        return HeaderValues.createCached(HeaderNames.create(name), value);
    }

    static void addTo(WritableHeaders<?> answer) {
        ALL.forEach(answer::set);
    }
}
