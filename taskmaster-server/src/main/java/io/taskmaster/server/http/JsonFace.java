package io.taskmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.protobuf.Message;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.Version;
import io.taskmaster.server.json.MessageReader;
import io.taskmaster.server.json.MessageWriter;
import io.taskmaster.server.json.OpenApi;
import io.taskmaster.server.json.Operation;
import io.taskmaster.server.json.QueryReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.regex.Pattern;

/**
 * The contract for people with {@code curl}: each method under {@code /v1/}, in JSON, and the document that describes it. Thread-safe;
 * blocks the connection's virtual thread.
 *
 * <p>A body has to be announced as JSON. That keeps the forms of foreign web pages out, which a browser posts to any address of its
 * machine without asking.
 */
final class JsonFace implements HttpService {

    private static final Pattern JSON = Pattern.compile("(?i)application/json\\s*(;.*)?");
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private final Gateway gateway;
    private final ByteBudget budget;
    /** Made when somebody asks: a start after a crash has no time for it. */
    private final Supplier<byte[]> openApi =
            Suppliers.memoize(() -> OpenApi.document(Version.current()).getBytes(UTF_8));

    JsonFace(Gateway gateway, ByteBudget budget) {
        this.gateway = gateway;
        this.budget = budget;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get(OpenApi.PATH, (request, response) -> send(openApi.get(), response));
        for (Operation<?, ?> operation : Operation.ALL) {
            rules.post(operation.path(), (request, response) -> handle(operation, request, response));
            if (operation.typed()) {
                rules.get(operation.path(), (request, response) -> handle(operation, request, response));
            }
            rules.any(operation.path(), (request, response) -> {
                response.header(HeaderNames.ALLOW, operation.typed() ? "GET, POST" : "POST");
                send(notServed(request).withStatus(METHOD_NOT_ALLOWED), response);
            });
        }
        rules.any(
                Operation.PREFIX + "*",
                (request, response) -> send(notServed(request).withStatus(NOT_FOUND), response));
    }

    private <Q extends Message, P extends Message> void handle(
            Operation<Q, P> operation, ServerRequest request, ServerResponse response) throws IOException {
        boolean typed = request.prologue().method().equals(Method.GET);
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("none");
        if (!typed && !JSON.matcher(type).matches()) {
            send(
                    invalid("content-type: " + type + " (expected: application/json)")
                            .withStatus(UNSUPPORTED_MEDIA_TYPE),
                    response);
            return;
        }
        try (ByteBudget.Share share = budget.share()) {
            Q message = typed
                    ? QueryReader.read(request.query().rawValue(), operation.request())
                    : body(operation, request, share);
            byte[] reply = json(gateway.call(operation.method(), message, Doorkeeper.callerOf(request)));
            share.takeForReply(reply.length);
            send(reply, response);
        } catch (TaskMasterException e) {
            send(Failure.of(e), response);
        } catch (BrokenBodyException e) {
            // Where the next request would begin cannot be known.
            response.header(HeaderValues.CONNECTION_CLOSE);
            send(e.failure(), response);
            throw new CloseConnectionException("the body ended before its end", e);
        }
    }

    private static <Q extends Message> Q body(Operation<Q, ?> operation, ServerRequest request, ByteBudget.Share share)
            throws IOException, BrokenBodyException {
        if (!request.query().rawValue().isEmpty()) {
            throw new TaskMasterException(ErrorCode.INVALID_FIELD, "query: given (expected: none beside a body)");
        }
        byte[] body = share.readAll(request.content());
        // A decoder of its own throws what is not UTF-8; the charset alone would replace it.
        return MessageReader.read(
                new InputStreamReader(new ByteArrayInputStream(body), UTF_8.newDecoder()), operation.request());
    }

    private static byte[] json(Message reply) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (Writer text = new OutputStreamWriter(bytes, UTF_8)) {
            MessageWriter.write(reply, text);
            text.write('\n');
        }
        return bytes.toByteArray();
    }

    private static Failure notServed(ServerRequest request) {
        return Failure.of(new TaskMasterException(
                ErrorCode.NOT_SERVED,
                request.prologue().method().text() + " " + request.path().path() + ": not served (see " + OpenApi.PATH
                        + ")"));
    }

    private static Failure invalid(String message) {
        return Failure.of(new TaskMasterException(ErrorCode.INVALID_FIELD, message));
    }

    private static void send(byte[] json, ServerResponse response) {
        response.header(HeaderValues.CONTENT_TYPE_JSON)
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(json);
    }

    static void send(Failure failure, ServerResponse response) {
        failure.addTo(response.headers());
        response.status(failure.status());
        send(failure.json(), response);
    }
}
