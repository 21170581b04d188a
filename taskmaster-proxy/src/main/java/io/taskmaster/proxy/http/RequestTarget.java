package io.taskmaster.proxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request, from its first line and its {@code Host}. An authority in the target takes precedence over
 * the header (RFC 9112, 3.2.2). Immutable.
 *
 * @param authority empty if there is none, as HTTP/1.0 allows
 */
record RequestTarget(String authority, String path, String query) {

    /** The characters of a URI (RFC 3986). */
    private static final Pattern URI = Pattern.compile("(?:[A-Za-z0-9._~:/?@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})+");

    private static final Pattern ABSOLUTE = Pattern.compile("(?i)https?://([^/?@]+)([^?]*)(?:\\?(.*))?");
    private static final Pattern ORIGIN = Pattern.compile("(/[^?]*|\\*)(?:\\?(.*))?");

    /** Returns the target of a request; empty if it is malformed. */
    static Optional<RequestTarget> of(HttpRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (hosts.size() > 1
                || (hosts.isEmpty() && !old)
                || !URI.matcher(request.uri()).matches()) {
            return Optional.empty();
        }
        Matcher absolute = ABSOLUTE.matcher(request.uri());
        if (absolute.matches()) {
            String path = absolute.group(2);
            return Optional.of(
                    new RequestTarget(absolute.group(1), path.isEmpty() ? "/" : path, orEmpty(absolute.group(3))));
        }
        Matcher origin = ORIGIN.matcher(request.uri());
        return origin.matches()
                ? Optional.of(new RequestTarget(
                        hosts.isEmpty() ? "" : hosts.getFirst(), origin.group(1), orEmpty(origin.group(2))))
                : Optional.empty();
    }

    private static String orEmpty(@Nullable String group) {
        return group == null ? "" : group;
    }
}
