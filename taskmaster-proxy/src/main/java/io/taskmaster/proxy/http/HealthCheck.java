package io.taskmaster.proxy.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A program that asks a node whether it serves. It prints the status of the answer, or the reason why there is none,
 * and exits with 0 if the node serves and with 1 otherwise. Containers run it every few seconds, so it is not one of
 * the commands of {@code taskmaster} and loads next to nothing.
 */
public final class HealthCheck {

    private static final int LIMIT_MILLIS = 3_000;

    private HealthCheck() {}

    /**
     * Runs the check.
     *
     * @param args the URL of {@code /healthz}; if it is not answered in plain text, it is asked for over TLS
     */
    public static void main(String[] args) {
        System.exit(isServing(URI.create(args[0])) ? 0 : 1);
    }

    static boolean isServing(URI health) {
        try {
            return isOk(health);
        } catch (IOException notInPlainText) {
            try {
                return isOk(URI.create(
                        "https" + health.toString().substring(health.getScheme().length())));
            } catch (IOException unanswered) {
                System.out.println(notInPlainText.getMessage() + "; with TLS: " + unanswered.getMessage());
                return false;
            }
        }
    }

    private static boolean isOk(URI health) throws IOException {
        var connection = (HttpURLConnection) health.toURL().openConnection();
        connection.setConnectTimeout(LIMIT_MILLIS);
        connection.setReadTimeout(LIMIT_MILLIS);
        if (connection instanceof HttpsURLConnection tls) {
            tls.setSSLSocketFactory(believing());
            tls.setHostnameVerifier((host, session) -> true);
        }
        int status = connection.getResponseCode();
        System.out.println(status);
        return status == HttpURLConnection.HTTP_OK;
    }

    /**
     * Returns a factory that accepts any certificate: the check comes from the same container, and sends nothing
     * secret.
     */
    private static SSLSocketFactory believing() throws IOException {
        var trustAll = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trustAll}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS", e);
        }
    }
}
