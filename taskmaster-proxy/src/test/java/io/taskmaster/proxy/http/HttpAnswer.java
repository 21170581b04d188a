package io.taskmaster.proxy.http;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** An HTTP response. Names of headers are in lower case. */
record HttpAnswer(int status, Map<String, String> headers, String body) {

    static HttpAnswer of(HttpResponse<String> response) {
        return new HttpAnswer(
                response.statusCode(),
                response.headers().map().entrySet().stream()
                        .collect(Collectors.toMap(
                                header -> header.getKey().toLowerCase(Locale.ROOT),
                                header -> header.getValue().getFirst())),
                response.body());
    }

    /** Parses the bytes of a response that is not chunked. */
    static HttpAnswer parse(String wire) {
        int end = wire.indexOf("\r\n\r\n");
        List<String> lines = wire.substring(0, end).lines().toList();
        return new HttpAnswer(
                Integer.parseInt(lines.getFirst().substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())),
                lines.stream()
                        .skip(1)
                        .collect(Collectors.toMap(
                                line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
                                line -> line.substring(line.indexOf(':') + 1).strip())),
                wire.substring(end + 4));
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    JsonObject json() {
        return JsonParser.parseString(body).getAsJsonObject();
    }

    /** The error in the body. */
    JsonObject error() {
        return json().getAsJsonObject("error");
    }
}
