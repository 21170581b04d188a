package io.taskmaster.proxy.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.wire.ActionHeader;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * An HTTP request without its body. Immutable.
 *
 * @param path as received, without the query
 * @param query as received; empty: none
 * @param authority the host that the request is for: of the target, if it names one (RFC 9112, 3.2.2), else
 *     {@code Host}; empty: none
 * @param certificates of the client, its own first; empty: none
 * @param isDisconnected returns whether the client disconnected
 */
@SuppressWarnings("ArrayRecordComponent") // the array comes from TLS and is never compared
record ReceivedRequest(
        HttpMethod method,
        String path,
        String query,
        HttpHeaders headers,
        String authority,
        SocketAddress address,
        Certificate[] certificates,
        BooleanSupplier isDisconnected) {

    Optional<String> header(CharSequence name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Returns whether the method is GET, or HEAD, which is GET without a body in its answer. */
    boolean isGet() {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    /**
     * A complete request that was admitted. Immutable.
     *
     * @param share of the budget for bodies; closed when the answer is on the wire
     */
    @SuppressWarnings("ArrayRecordComponent") // read once
    record Admitted(ReceivedRequest request, Identity identity, byte[] body, ByteBudget.Share share) {

        Caller caller() {
            return new Caller(identity, request.address, request.header(ActionHeader.NAME));
        }
    }
}
