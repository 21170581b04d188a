package io.taskmaster.server.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;

/**
 * A program that asks a node whether it serves, prints the status of the answer or why there is none, and ends with 0 if it does and with 1
 * if not. Containers run it every few seconds, so it is none of the commands of {@code taskmaster} and loads next to nothing.
 */
public final class HealthCheck {

    private static final int LIMIT_MILLIS = 3_000;

    private HealthCheck() {}

    /**
     * @param args the URL of {@code /healthz}
     */
    public static void main(String[] args) {
        System.exit(isServing(URI.create(args[0])) ? 0 : 1);
    }

    static boolean isServing(URI health) {
        try {
            URLConnection connection = health.toURL().openConnection();
            connection.setConnectTimeout(LIMIT_MILLIS);
            connection.setReadTimeout(LIMIT_MILLIS);
            int status = ((HttpURLConnection) connection).getResponseCode();
            System.out.println(status);
            return status == HttpURLConnection.HTTP_OK;
        } catch (IOException unanswered) {
            System.out.println(unanswered.getMessage());
            return false;
        }
    }
}
