package io.taskmaster.proxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.json.OpenApi;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Handlers of the port, by path and method. Not changed once the port serves; thread-safe then. */
final class Routes {

    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    /** A handler of requests; may block its virtual thread. */
    @FunctionalInterface
    interface Handler {

        /** Returns the answer, or throws the refusal of the request. */
        Response handle(ReceivedRequest.Admitted request) throws IOException;
    }

    private final Map<String, Map<String, Handler>> handlers = new TreeMap<>();

    Routes get(String path, Handler handler) {
        return add(HttpMethod.GET, path, handler);
    }

    Routes post(String path, Handler handler) {
        return add(HttpMethod.POST, path, handler);
    }

    private Routes add(HttpMethod method, String path, Handler handler) {
        handlers.computeIfAbsent(path, _ -> new TreeMap<>()).put(method.name(), handler);
        return this;
    }

    Set<String> paths() {
        return handlers.keySet();
    }

    Response handle(ReceivedRequest.Admitted admitted) throws IOException {
        ReceivedRequest request = admitted.request();
        Map<String, Handler> ofPath = handlers.get(request.path());
        if (ofPath == null) {
            return Response.of(notServed(request).withStatus(NOT_FOUND));
        }
        Handler handler = ofPath.get(
                request.isGet() ? HttpMethod.GET.name() : request.method().name());
        if (handler == null) {
            return Response.of(notServed(request).withStatus(METHOD_NOT_ALLOWED))
                    .with(HttpHeaderNames.ALLOW.toString(), String.join(", ", ofPath.keySet()));
        }
        try {
            return handler.handle(admitted);
        } catch (TaskMasterException refused) {
            return Response.of(HttpFailure.of(refused));
        }
    }

    private static HttpFailure notServed(ReceivedRequest request) {
        return HttpFailure.of(TaskMasterException.withoutStackTrace(
                ErrorCode.NOT_SERVED,
                request.method().name() + " " + request.path() + ": not served (see " + OpenApi.PATH + ")",
                null,
                null));
    }
}
