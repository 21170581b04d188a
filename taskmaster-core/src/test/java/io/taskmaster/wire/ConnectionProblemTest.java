package io.taskmaster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.PKIXReason;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how failures of TLS are told apart, and of what is said of them. */
final class ConnectionProblemTest {

    @ParameterizedTest
    @CsvSource({
        "EXPIRED, CERTIFICATE_NOT_VALID",
        "NOT_YET_VALID, CERTIFICATE_NOT_VALID",
        "INVALID_SIGNATURE, UNTRUSTED_CERTIFICATE",
        "REVOKED, CERTIFICATE_REJECTED",
        "ALGORITHM_CONSTRAINED, CERTIFICATE_REJECTED"
    })
    void aCertificateIsRejectedForTheReasonOfItsChain(BasicReason reason, ConnectionProblem problem) {
        assertThat(ConnectionProblem.of(invalid(reason))).contains(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_TRUST_ANCHOR, UNTRUSTED_CERTIFICATE",
        "NAME_CHAINING, UNTRUSTED_CERTIFICATE",
        "INVALID_KEY_USAGE, CERTIFICATE_REJECTED"
    })
    void theSameIsTrueOfReasonsOfAuthorities(PKIXReason reason, ConnectionProblem problem) {
        assertThat(ConnectionProblem.of(invalid(reason))).contains(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "No subject alternative names present, OTHER_HOST",
        "No subject alternative DNS name matching h found., OTHER_HOST",
        "No name matching h found, OTHER_HOST",
        "Extended key usage does not permit use for TLS server authentication, CERTIFICATE_REJECTED"
    })
    void aCertificateIsOfAnotherHostOnlyByItsNames(String message, ConnectionProblem problem) {
        assertThat(ConnectionProblem.of(new CertificateException(message))).contains(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad_certificate", "certificate_required", "certificate_unknown", "unknown_ca"})
    void alertsAboutCertificatesAreOfThatOfTheClient(String alert) {
        assertThat(ConnectionProblem.of(new SSLHandshakeException("Received fatal alert: " + alert)))
                .contains(ConnectionProblem.CLIENT_CERTIFICATE_REJECTED);
    }

    @Test
    void anotherAlertIsNoneOfThese() {
        assertThat(ConnectionProblem.of(new SSLHandshakeException("Received fatal alert: handshake_failure")))
                .isEmpty();
    }

    @Test
    void anErrorSaysTheInnermostMessageOfACertificate() {
        var untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(new CertPathBuilderException("no path"));
        assertThat(mapped(untrusted))
                .hasMessage("the certificate of the server is not signed by an authority that this client trusts: no"
                        + " path");

        var expired = new CertPathValidatorException(
                "validity check failed", new CertificateExpiredException("NotAfter: yesterday."));
        assertThat(mapped(expired))
                .hasMessage("the certificate of the server is expired, or not valid yet: NotAfter: yesterday");

        assertThat(mapped(new CertificateExpiredException()))
                .hasMessage("the certificate of the server is expired, or not valid yet");
    }

    private static TaskMasterException mapped(Exception cause) {
        TaskMasterException error =
                ErrorMapper.fromGrpc(Status.UNAVAILABLE.withCause(cause), null, Progress.NOTHING_SENT);
        assertThat(error.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        return error;
    }

    private static Exception invalid(Reason reason) {
        return new CertificateException(
                "PKIX path validation failed", new CertPathValidatorException("check failed", null, null, -1, reason));
    }
}
