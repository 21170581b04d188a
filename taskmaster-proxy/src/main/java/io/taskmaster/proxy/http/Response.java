package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer to a request. Immutable.
 *
 * @param headers in addition to those of every answer
 */
@SuppressWarnings("ArrayRecordComponent") // passed to the network as it is; never compared
record Response(int status, Map<String, String> headers, byte[] body) {

    private static final int OK = 200;

    /** Returns a response in JSON that must not be cached. */
    static Response json(byte[] json) {
        return of("application/json", json).with(HttpHeaderNames.CACHE_CONTROL.toString(), "no-store");
    }

    static Response json(String json) {
        return json((json + "\n").getBytes(UTF_8));
    }

    static Response of(String type, byte[] body) {
        return new Response(OK, Map.of(), body).with(HttpHeaderNames.CONTENT_TYPE.toString(), type);
    }

    static Response of(HttpFailure httpFailure) {
        Response response = json(httpFailure.json()).withStatus(httpFailure.status());
        Optional<String> retryAfter = httpFailure.retryAfterSeconds();
        return retryAfter.isPresent()
                ? response.with(HttpHeaderNames.RETRY_AFTER.toString(), retryAfter.get())
                : response;
    }

    Response with(String header, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Response(status, more, body);
    }

    Response withStatus(int other) {
        return new Response(other, headers, body);
    }
}
