package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A client of the HTTP port, as {@code curl} is: sends one request after the other, with a timeout. */
final class HttpCaller implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    HttpCaller(int port) {
        this.port = port;
    }

    HttpAnswer get(String pathAndQuery) throws IOException, InterruptedException {
        return send("GET", pathAndQuery, "", new byte[0]);
    }

    HttpAnswer post(String path, String json) throws IOException, InterruptedException {
        return send("POST", path, "application/json", json.getBytes(UTF_8));
    }

    /**
     * Sends a request.
     *
     * @param type of the body; empty for none
     */
    HttpAnswer send(String verb, String pathAndQuery, String type, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + pathAndQuery))
                .method(verb, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .timeout(LIMIT);
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return HttpAnswer.of(client.send(request.build(), BodyHandlers.ofString()));
    }

    /** Sends exactly this, and reads until the server closes the connection. */
    HttpAnswer raw(String request) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return HttpAnswer.parse(new String(socket.getInputStream().readAllBytes(), UTF_8));
        }
    }

    Socket open() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    /** Sends a request without waiting for its response. */
    static void post(Socket socket, String path, String json) throws IOException {
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + json.length() + "\r\n\r\n";
        socket.getOutputStream().write((head + json).getBytes(UTF_8));
    }

    /** Reads until the text ends with {@code end}. */
    static String read(Socket socket, String end) throws IOException {
        var read = new StringBuilder();
        while (!read.toString().endsWith(end)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException(read.toString());
            }
            read.append((char) next);
        }
        return read.toString();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
