package io.taskmaster.server.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;

/** Answers what the web server itself refuses, a malformed request or an unknown path, in JSON like every other error. Stateless. */
final class TransportFailures implements DirectHandler {

    static DirectHandlers handlers() {
        var handlers = DirectHandlers.builder();
        var ours = new TransportFailures();
        for (EventType type : EventType.values()) {
            handlers.addHandler(type, ours);
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request, EventType type, Status status, ServerResponseHeaders headers, String message) {
        String said = message == null || message.isEmpty() ? status.reasonPhrase() : message;
        SafeHeaders.addTo(headers);
        return TransportResponse.builder()
                .status(status)
                .headers(headers)
                .header(HeaderValues.CONTENT_TYPE_JSON)
                .keepAlive(type.keepAlive())
                .entity(Failure.ofTransport(status.code(), "request: " + said).json())
                .build();
    }
}
