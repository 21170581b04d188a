package io.taskmaster.proxy.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;

/**
 * Security headers of every answer of the HTTP port: a browser takes an answer only for its announced type, runs
 * nothing in it, shows it in no frame, and lets no other site load it. A handler that sends a page sets a policy of its
 * own. Immutable.
 */
final class SecurityHeaders {

    static final String POLICY = "Content-Security-Policy";

    private static final Map<String, String> ALL = Map.of(
            POLICY,
            "default-src 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private SecurityHeaders() {}

    static void addTo(HttpHeaders answer) {
        ALL.forEach(answer::set);
    }
}
