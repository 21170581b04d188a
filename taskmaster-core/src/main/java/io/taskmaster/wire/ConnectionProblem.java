package io.taskmaster.wire;

import io.netty.handler.ssl.NotSslRecordException;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for which no connection to a port comes about although a server listens there: TLS on one side only,
 * certificates, another protocol. Recognized from the causes of the failure of a call, which are those of Netty and the
 * JDK.
 */
public enum ConnectionProblem {
    /** The client sends plain text to a port with TLS. */
    SERVER_USES_TLS("the server expects TLS on this port, and this client does not use it"),
    /** The client uses TLS at a port without it. */
    SERVER_IS_PLAIN("the server does not use TLS on this port, and this client does"),
    /** No authority that the client trusts has signed the certificate of the server. */
    UNTRUSTED_CERTIFICATE("the certificate of the server is not signed by an authority that this client trusts"),
    /** The certificate of the server is not for the host name that the client has used. */
    OTHER_HOST("the certificate of the server is for another host"),
    /** The certificate of the server is expired, or not valid yet. */
    CERTIFICATE_NOT_VALID("the certificate of the server is expired, or not valid yet"),
    /** The client rejects the certificate of the server for another reason: revoked, a weak algorithm, no server's. */
    CERTIFICATE_REJECTED("this client does not accept the certificate of the server"),
    /** The server has rejected the certificate of the client. */
    CLIENT_CERTIFICATE_REJECTED("the server does not accept the certificate of this client"),
    /** The port speaks HTTP/1.1, as the HTTP port of a server does. */
    HTTP_PORT("this is an HTTP port, and not a gRPC port");

    /** The beginning of Netty's message about a first frame that is none of HTTP/2. */
    private static final String NOT_HTTP2 = "First received frame was not SETTINGS. Hex dump for first 5 bytes: ";

    /** The beginning of a TLS record with an alert, in hexadecimal. */
    private static final String TLS_ALERT = "1503";

    /** The beginning of a response of HTTP/1.1, in hexadecimal. */
    private static final String HTTP = "485454502f";

    private static final String FATAL_ALERT = "received fatal alert: ";

    /** The alert of a server that does not know the authority of a client's certificate. */
    private static final String UNKNOWN_AUTHORITY = "unknown_ca";

    /** The beginnings of the JDK's messages about a certificate that is for other hosts. */
    private static final List<String> OTHER_NAMES = List.of("No subject alternative ", "No name matching ");

    /** The reasons for which a chain of certificates does not end at a trusted authority. */
    private static final Set<Reason> NOT_SIGNED = Set.of(
            PKIXReason.NO_TRUST_ANCHOR,
            PKIXReason.NAME_CHAINING,
            PKIXReason.NOT_CA_CERT,
            BasicReason.INVALID_SIGNATURE);

    private final String text;

    ConnectionProblem(String text) {
        this.text = text;
    }

    /** The description for people, without a full stop. */
    public String text() {
        return text;
    }

    /**
     * Returns the description, and what Netty and the JDK say of a certificate. Of other problems they show bytes.
     *
     * @param failure the failure that has this problem
     */
    String text(@Nullable Throwable failure) {
        return switch (this) {
            case SERVER_USES_TLS, SERVER_IS_PLAIN, HTTP_PORT -> text;
            case UNTRUSTED_CERTIFICATE,
                    OTHER_HOST,
                    CERTIFICATE_NOT_VALID,
                    CERTIFICATE_REJECTED,
                    CLIENT_CERTIFICATE_REJECTED -> {
                String detail = innermostMessage(failure);
                yield detail.isEmpty() ? text : text + ": " + detail;
            }
        };
    }

    /** Returns the message of the innermost cause that has one, without a full stop; empty if there is none. */
    private static String innermostMessage(@Nullable Throwable failure) {
        Set<Throwable> seen = new HashSet<>();
        String innermost = "";
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            String message = cause.getMessage();
            innermost = message == null || message.isBlank() ? innermost : message.strip();
        }
        return innermost.endsWith(".") ? innermost.substring(0, innermost.length() - 1) : innermost;
    }

    /**
     * Returns whether the server has certainly not seen a request, even if the client has sent one: it understands
     * another protocol.
     */
    boolean nothingWasDone() {
        return this == SERVER_USES_TLS || this == HTTP_PORT;
    }

    /**
     * Returns the error of a call that had this problem, in which {@link #of} recognizes it.
     *
     * @param failure the failure of the call
     */
    public TaskMasterException asError(Throwable failure) {
        return TaskMasterException.withoutStackTrace(ErrorCode.NOT_CONNECTED, text, null, new Diagnosis(this, failure));
    }

    /** Returns the problem that caused a failure; empty if there is none of these. */
    public static Optional<ConnectionProblem> of(@Nullable Throwable failure) {
        Set<Throwable> seen = new HashSet<>();
        Optional<ConnectionProblem> found = Optional.empty();
        // The innermost cause is the most exact one.
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            Optional<ConnectionProblem> problem = ofOne(cause);
            found = problem.isPresent() ? problem : found;
        }
        return found;
    }

    private static Optional<ConnectionProblem> ofOne(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof Diagnosis diagnosis) {
            return Optional.of(diagnosis.problem);
        }
        if (cause instanceof NotSslRecordException) {
            return Optional.of(SERVER_IS_PLAIN);
        }
        if (cause instanceof CertificateException certificate) {
            return Optional.of(ofCertificate(certificate, message));
        }
        if (cause instanceof CertPathBuilderException) {
            return Optional.of(UNTRUSTED_CERTIFICATE);
        }
        if (cause instanceof CertPathValidatorException path) {
            return Optional.of(ofReason(path.getReason()));
        }
        if (cause instanceof SSLHandshakeException
                && message.toLowerCase(Locale.ROOT).startsWith(FATAL_ALERT)
                && (message.contains("certificate") || message.contains(UNKNOWN_AUTHORITY))) {
            return Optional.of(CLIENT_CERTIFICATE_REJECTED);
        }
        return ofFirstBytes(message);
    }

    private static ConnectionProblem ofCertificate(CertificateException cause, String message) {
        if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
            return CERTIFICATE_NOT_VALID;
        }
        return OTHER_NAMES.stream().anyMatch(message::startsWith) ? OTHER_HOST : CERTIFICATE_REJECTED;
    }

    private static ConnectionProblem ofReason(Reason reason) {
        if (reason == BasicReason.EXPIRED || reason == BasicReason.NOT_YET_VALID) {
            return CERTIFICATE_NOT_VALID;
        }
        return NOT_SIGNED.contains(reason) ? UNTRUSTED_CERTIFICATE : CERTIFICATE_REJECTED;
    }

    private static Optional<ConnectionProblem> ofFirstBytes(String message) {
        int start = message.indexOf(NOT_HTTP2);
        if (start < 0) {
            return Optional.empty();
        }
        String bytes = message.substring(start + NOT_HTTP2.length());
        return bytes.startsWith(TLS_ALERT)
                ? Optional.of(SERVER_USES_TLS)
                : bytes.startsWith(HTTP) ? Optional.of(HTTP_PORT) : Optional.empty();
    }

    /** A failure whose problem was found out by other means than its causes. */
    private static final class Diagnosis extends IOException {

        private static final long serialVersionUID = 1L;

        private final ConnectionProblem problem;

        Diagnosis(ConnectionProblem problem, Throwable failure) {
            super(problem.text, failure);
            this.problem = problem;
        }
    }
}
