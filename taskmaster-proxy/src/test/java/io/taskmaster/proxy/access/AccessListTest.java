package io.taskmaster.proxy.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import io.taskmaster.proxy.config.ConfigException;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AccessListTest {

    private static final Certificate[] NO_CERTIFICATE = {};

    @Test
    void aTokenIsKnownByItsHashAndByNothingLess() {
        Token alice = Token.make(Role.FULL, "alice");
        Token bob = Token.make(Role.READ, "bob@example.org");
        AccessList list = parse("# people\n\n" + alice.line() + "\n" + bob.line() + "\n");

        assertThat(list.identify(bearer(alice.secret()))).contains(new Identity("alice", Role.FULL));
        assertThat(list.identify(bearer(bob.secret()))).contains(new Identity("bob@example.org", Role.READ));
        assertThat(list.identify(bearer(alice.secret() + "x"))).isEmpty();
        assertThat(list.identify(bearer(TokenHash.of(alice.secret()).toString())))
                .as("its hash")
                .isEmpty();
        assertThat(list.identify(PresentedCredentials.of(List.of(alice.secret()), NO_CERTIFICATE)))
                .as("without Bearer")
                .isEmpty();
        assertThat(list.identify(PresentedCredentials.of(List.of("Basic " + alice.secret()), NO_CERTIFICATE)))
                .isEmpty();
        assertThat(list.identify(PresentedCredentials.of(List.of(), NO_CERTIFICATE)))
                .isEmpty();
    }

    @Test
    void theSchemeIsBearerInWhateverCase() {
        Token alice = Token.make(Role.FULL, "alice");

        assertThat(parse(alice.line())
                        .identify(PresentedCredentials.of(List.of("bearer  " + alice.secret() + " "), NO_CERTIFICATE)))
                .isPresent();
    }

    @Test
    void tokensAreLongAndNeverTheSame() {
        Token first = Token.make(Role.READ, "a");
        Token second = Token.make(Role.READ, "a");

        assertThat(first.secret()).matches("tm_[A-Za-z0-9_-]{43}").isNotEqualTo(second.secret());
        assertThat(first).hasToString(first.line());
        assertThat(first.line()).doesNotContain(first.secret().substring(Token.PREFIX.length()));
    }

    @Test
    void aCertificateIsKnownByItsNames() throws Exception {
        Pki pki = new Pki("CA");
        X509Bundle worker = pki.issue(pki.client("worker 7")
                .addSanDnsName("Worker.Example.org")
                .addSanUriName("spiffe://example.org/worker"));

        assertThat(list("read w dns:worker.example.org", worker)).isEqualTo("w");
        assertThat(list("read w uri:spiffe://example.org/worker", worker)).isEqualTo("w");
        assertThat(list("read w cn:worker 7", worker)).isEqualTo("w");
        assertThat(list("read w cn:worker", worker)).isEqualTo("nobody");
        assertThat(list("read w dns:*.example.org", worker)).isEqualTo("nobody");
        assertThat(list("read w uri:spiffe://example.org/Worker", worker)).isEqualTo("nobody");
        assertThat(list("read first cn:worker 7\nfull second dns:worker.example.org", worker))
                .isEqualTo("first");
    }

    @Test
    void ofSeveralCommonNamesNoneCounts() throws Exception {
        Pki pki = new Pki("CA");
        X509Bundle two = pki.issue(pki.client("a,CN=b"));

        assertThat(list("full a cn:a\nfull b cn:b", two)).isEqualTo("nobody");
    }

    @Test
    void anUnknownTokenIsNotSavedByACertificate() throws Exception {
        Pki pki = new Pki("CA");
        X509Bundle worker = pki.issue(pki.client("w"));
        PresentedCredentials both = PresentedCredentials.of(List.of("Bearer wrong"), worker.getCertificatePath());

        assertThat(parse("full w cn:w").identify(both)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "admin alice sha256:SECRET, read or full",
        "full al/ice sha256:SECRET, as the name",
        "full (nobody) sha256:SECRET, as the name",
        "full alice SECRET, as the credential",
        "full alice sha256:SECRET, 64 hexadecimal digits",
        "full SECRET, ROLE NAME CREDENTIAL",
        "full alice cn:, as the credential",
    })
    void aBrokenLineIsNamedAndItsCredentialIsNot(String line, String expected) {
        assertThatThrownBy(() -> parse(Token.make(Role.READ, "fine").line() + "\n\n" + line))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("access.file, line 3")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void aCredentialComesOnceAndAFileSaysSomething() {
        String line = Token.make(Role.READ, "a").line();

        assertThatThrownBy(() -> parse(line + "\n" + line)).hasMessageContaining("line 2");
        assertThatThrownBy(() -> parse("read a cn:x\nfull b cn:x")).hasMessageContaining("line 2");
        assertThatThrownBy(() -> parse("# nobody\n")).hasMessageContaining("at least one line");
        assertThatThrownBy(() -> AccessList.parse(new byte[] {-1}, true)).hasMessageContaining("UTF-8");
    }

    @Test
    void certificatesNeedSomebodyWhoAsksForThem() {
        assertThatThrownBy(() -> AccessList.parse("read a cn:x".getBytes(UTF_8), false))
                .hasMessageContaining("tls.client-ca");
    }

    private static String list(String lines, X509Bundle certificate) {
        return parse(lines)
                .identify(PresentedCredentials.of(List.of(), certificate.getCertificatePath()))
                .map(Identity::name)
                .orElse("nobody");
    }

    private static AccessList parse(String file) {
        return AccessList.parse(file.getBytes(UTF_8), true);
    }

    private static PresentedCredentials bearer(String token) {
        return PresentedCredentials.of(List.of("Bearer " + token), NO_CERTIFICATE);
    }
}
