package io.taskmaster.proxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Access;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.proxy.access.PresentedCredentials;
import io.taskmaster.proxy.json.ApiOperation;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Access check of the HTTP port: admits a request, or refuses it before anything but its headers is read, whether its
 * path exists or not. Thread-safe.
 */
final class AuthHandler {

    private static final String SEC_FETCH_SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;

    /**
     * The full names of gRPC methods, by which {@link io.taskmaster.proxy.access.Rule#TABLE} has them, by their paths.
     */
    private static final Map<String, String> METHODS = ApiOperation.ALL.stream()
            .collect(Collectors.toUnmodifiableMap(
                    ApiOperation::path, apiOperation -> apiOperation.method().getFullMethodName()));

    private final Access access;
    private final HostValidator hosts;

    AuthHandler(Access access, HostValidator hosts) {
        this.access = access;
        this.hosts = hosts;
    }

    /** Returns the name that an endpoint of this port has in {@link io.taskmaster.proxy.access.Rule#TABLE}. */
    static String endpoint(String path) {
        return Page.isOf(path) ? Page.PATH : METHODS.getOrDefault(path, path);
    }

    /**
     * Returns the identity of the caller, if it has access. Must not block.
     *
     * @throws RefusedException with the answer to the request
     */
    Identity admit(ReceivedRequest request) throws RefusedException {
        Optional<HttpFailure> foreign = foreign(request);
        if (foreign.isPresent()) {
            throw new RefusedException(Response.of(foreign.get()));
        }
        try {
            return access.admit(
                    endpoint(request.path()),
                    PresentedCredentials.of(
                            request.headers().getAll(HttpHeaderNames.AUTHORIZATION), request.certificates()),
                    request.address());
        } catch (TaskMasterException e) {
            Response refusal = Response.of(HttpFailure.of(e));
            throw new RefusedException(
                    e.code() == ErrorCode.UNAUTHENTICATED
                            ? refusal.with(HttpHeaderNames.WWW_AUTHENTICATE.toString(), "Bearer")
                            : refusal);
        }
    }

    private Optional<HttpFailure> foreign(ReceivedRequest request) {
        String host = request.authority();
        if (!hosts.allows(host)) {
            return Optional.of(foreign("host: " + host
                            + " (expected: localhost or an IP address, because the server has no access control)")
                    .withStatus(MISDIRECTED));
        }
        if (!SAFE.contains(request.method()) && isCrossSite(request, host)) {
            return Optional.of(
                    foreign("origin: another site (expected: a page of this server, or a program other than a browser)")
                            .withStatus(FORBIDDEN));
        }
        return Optional.empty();
    }

    /**
     * Returns whether a browser sends this for a page of another site. Current browsers say so
     * ({@code Sec-Fetch-Site}); older ones name the origin. Other programs send neither header, and no page can make
     * them send anything.
     */
    private static boolean isCrossSite(ReceivedRequest request, String host) {
        Optional<String> site = request.header(SEC_FETCH_SITE);
        if (site.isPresent()) {
            return !OWN_SITE.contains(site.get());
        }
        return request.header(HttpHeaderNames.ORIGIN)
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

    private static HttpFailure foreign(String message) {
        return HttpFailure.of(TaskMasterException.withoutStackTrace(ErrorCode.FOREIGN_ORIGIN, message, null, null));
    }
}
