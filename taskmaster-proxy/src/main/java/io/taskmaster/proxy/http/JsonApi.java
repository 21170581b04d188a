package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.protobuf.Message;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.json.ApiOperation;
import io.taskmaster.proxy.json.MessageReader;
import io.taskmaster.proxy.json.MessageWriter;
import io.taskmaster.proxy.json.OpenApi;
import io.taskmaster.proxy.json.QueryReader;
import io.taskmaster.proxy.program.Version;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.regex.Pattern;

/**
 * The contract in JSON: each method under {@code /v1/}, and the OpenAPI document that describes them. Thread-safe;
 * blocks the virtual thread of the request.
 *
 * <p>A body has to be announced as JSON. That keeps out the forms of foreign web pages, which a browser posts to any
 * address of its machine without asking.
 */
final class JsonApi {

    private static final Pattern JSON = Pattern.compile("(?i)application/json\\s*(;.*)?");
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private final Gateway gateway;
    /** The OpenAPI document, made on first use, so that it does not delay a start. */
    private final Supplier<byte[]> openApi =
            Suppliers.memoize(() -> OpenApi.document(Version.current()).getBytes(UTF_8));

    JsonApi(Gateway gateway) {
        this.gateway = gateway;
    }

    void addTo(Routes routes) {
        routes.get(OpenApi.PATH, request -> Response.json(openApi.get()));
        for (ApiOperation<?, ?> apiOperation : ApiOperation.ALL) {
            routes.post(apiOperation.path(), request -> handle(apiOperation, request));
            if (apiOperation.typed()) {
                routes.get(apiOperation.path(), request -> handle(apiOperation, request));
            }
        }
    }

    private <Q extends Message, P extends Message> Response handle(
            ApiOperation<Q, P> apiOperation, ReceivedRequest.Admitted admitted) throws IOException {
        ReceivedRequest request = admitted.request();
        boolean typed = request.isGet();
        String type = request.header(HttpHeaderNames.CONTENT_TYPE).orElse("none");
        if (!typed && !JSON.matcher(type).matches()) {
            return Response.of(invalid("content-type: " + type + " (expected: application/json)")
                    .withStatus(UNSUPPORTED_MEDIA_TYPE));
        }
        Q message = typed ? QueryReader.read(request.query(), apiOperation.request()) : body(apiOperation, admitted);
        byte[] reply = json(gateway.call(apiOperation.method(), message, admitted.caller(), request.isDisconnected()));
        admitted.share().acquireForReply(reply.length);
        return Response.json(reply);
    }

    private static <Q extends Message> Q body(ApiOperation<Q, ?> apiOperation, ReceivedRequest.Admitted admitted)
            throws IOException {
        if (!admitted.request().query().isEmpty()) {
            throw new TaskMasterException(
                    ErrorCode.INVALID_FIELD, "query: present (expected: a query or a body, not both)");
        }
        // A decoder of its own throws on input that is not UTF-8; the charset alone would replace it.
        return MessageReader.read(
                new InputStreamReader(new ByteArrayInputStream(admitted.body()), UTF_8.newDecoder()),
                apiOperation.request());
    }

    private static byte[] json(Message reply) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (Writer text = new OutputStreamWriter(bytes, UTF_8)) {
            MessageWriter.write(reply, text);
            text.write('\n');
        }
        return bytes.toByteArray();
    }

    private static HttpFailure invalid(String message) {
        return HttpFailure.of(new TaskMasterException(ErrorCode.INVALID_FIELD, message));
    }
}
