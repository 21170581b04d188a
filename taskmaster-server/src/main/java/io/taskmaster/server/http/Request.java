package io.taskmaster.server.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.taskmaster.server.access.Caller;
import io.taskmaster.server.access.Identity;
import io.taskmaster.wire.ActionHeader;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A request of HTTP. Immutable.
 *
 * @param path as it came, without the query
 * @param query as it came; empty: none
 * @param authority whom it is for: of the target, where it names one (RFC 9112, 3.2.2), else {@code Host}; empty: not said
 * @param certificates of the caller, their own first; empty: none
 * @param gone whether its caller hung up
 */
@SuppressWarnings("ArrayRecordComponent") // what TLS has; never compared
record Request(
        HttpMethod method,
        String path,
        String query,
        HttpHeaders headers,
        String authority,
        SocketAddress address,
        Certificate[] certificates,
        BooleanSupplier gone) {

    Optional<String> header(CharSequence name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** HEAD is GET without a body in its answer. */
    boolean isGet() {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    /**
     * A request that was let in, whole.
     *
     * @param share of the memory for bodies; given back when the answer is on the wire
     */
    @SuppressWarnings("ArrayRecordComponent") // read once
    record Admitted(Request request, Identity identity, byte[] body, ByteBudget.Share share) {

        Caller caller() {
            return new Caller(identity, request.address, request.header(ActionHeader.NAME));
        }
    }
}
