package io.taskmaster.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.access.Access;
import io.taskmaster.server.access.Caller;
import io.taskmaster.server.access.Credentials;
import io.taskmaster.server.access.Identity;
import io.taskmaster.server.json.Operation;
import io.taskmaster.wire.ActionHeader;
import java.net.URI;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets requests of the HTTP port in, or refuses them before anything of them is read but their headers: whatever the path, there or not. Thread-safe.
 */
final class Doorkeeper implements Filter {

    private static final HeaderName ACTION = HeaderNames.create(ActionHeader.NAME);
    private static final HeaderName SEC_FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Certificate[] NO_CERTIFICATES = {};
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;

    /** What the table of all endpoints calls the paths of the contract. */
    private static final Map<String, String> METHODS = Operation.ALL.stream()
            .collect(Collectors.toUnmodifiableMap(
                    Operation::path, operation -> operation.method().getFullMethodName()));

    private final Access access;
    private final HostRule hosts;

    Doorkeeper(Access access, HostRule hosts) {
        this.access = access;
        this.hosts = hosts;
    }

    /** What an endpoint of this port is called in the table of all endpoints. */
    static String endpoint(String path) {
        return Page.isOf(path) ? Page.PATH : METHODS.getOrDefault(path, path);
    }

    /** Who sent a request that was let in. */
    static Caller callerOf(ServerRequest request) {
        return new Caller(
                request.context().get(Identity.class).orElseThrow(),
                request.remotePeer().address(),
                request.headers().first(ACTION));
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        SafeHeaders.addTo(response.headers());
        Optional<Failure> foreign = foreign(request);
        if (foreign.isPresent()) {
            JsonFace.send(foreign.get(), response);
            return;
        }
        try {
            request.context().register(admit(request));
        } catch (TaskMasterException e) {
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
            }
            JsonFace.send(Failure.of(e), response);
            return;
        }
        chain.proceed();
    }

    private Identity admit(ServerRequest request) {
        return access.admit(
                endpoint(request.path().path()),
                Credentials.of(
                        request.headers().contains(HeaderNames.AUTHORIZATION)
                                ? request.headers()
                                        .get(HeaderNames.AUTHORIZATION)
                                        .allValues()
                                : List.of(),
                        request.remotePeer().tlsCertificates().orElse(NO_CERTIFICATES)),
                request.remotePeer().address());
    }

    private Optional<Failure> foreign(ServerRequest request) {
        ServerRequestHeaders headers = request.headers();
        String host = headers.first(HeaderNames.HOST).orElse("");
        if (!hosts.allows(host)) {
            return Optional.of(foreign("host: " + host
                            + " (expected: localhost or an address, on a server without access control)")
                    .withStatus(MISDIRECTED));
        }
        if (!SAFE.contains(request.prologue().method()) && isOfAnotherSite(headers, host)) {
            return Optional.of(foreign("origin: another site (expected: this server, or a program that is no browser)")
                    .withStatus(FORBIDDEN));
        }
        return Optional.empty();
    }

    /** Browsers of today say it themselves; older ones name the origin. Programs say neither, and no page makes them send anything. */
    private static boolean isOfAnotherSite(ServerRequestHeaders headers, String host) {
        Optional<String> site = headers.first(SEC_FETCH_SITE);
        if (site.isPresent()) {
            return !OWN_SITE.contains(site.get());
        }
        return headers.first(HeaderNames.ORIGIN)
                .filter(origin -> !host.equalsIgnoreCase(authority(origin)))
                .isPresent();
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException garbage) {
            return "";
        }
    }

    private static Failure foreign(String message) {
        return Failure.of(TaskMasterException.withoutStackTrace(ErrorCode.FOREIGN_ORIGIN, message, null, null));
    }
}
