package io.taskmaster.server.http;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What came back over HTTP. Names of headers in lower case. */
record Answer(int status, Map<String, String> headers, String body) {

    static Answer of(HttpResponse<String> response) {
        return new Answer(
                response.statusCode(),
                response.headers().map().entrySet().stream()
                        .collect(Collectors.toMap(
                                header -> header.getKey().toLowerCase(Locale.ROOT),
                                header -> header.getValue().getFirst())),
                response.body());
    }

    /** From the bytes on the wire, of an answer that is not chunked. */
    static Answer parse(String wire) {
        String[] headAndBody = wire.split("\r\n\r\n", 2);
        String[] lines = headAndBody[0].split("\r\n");
        return new Answer(
                Integer.parseInt(lines[0].split(" ")[1]),
                Arrays.stream(lines)
                        .skip(1)
                        .map(line -> line.split(": ", 2))
                        .collect(Collectors.toMap(header -> header[0].toLowerCase(Locale.ROOT), header -> header[1])),
                headAndBody[1]);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    JsonObject json() {
        return JsonParser.parseString(body).getAsJsonObject();
    }

    /** The error that it is about. */
    JsonObject error() {
        return json().getAsJsonObject("error");
    }
}
