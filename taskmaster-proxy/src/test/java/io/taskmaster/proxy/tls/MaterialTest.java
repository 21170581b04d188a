package io.taskmaster.proxy.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MaterialTest {

    private static final TlsConfig FILES =
            new TlsConfig(Path.of("server.pem"), Path.of("server.key"), Optional.of(Path.of("ca.pem")));

    private final Pki pki = new Pki("CA");
    private final X509Bundle server = pki.issue(pki.server());

    MaterialTest() throws Exception {}

    @Test
    void aChainItsKeyAndAuthoritiesAreRead() throws Exception {
        for (X509Bundle any : List.of(server, pki.issue(pki.server().rsa2048()))) {
            Material material = parse(any.getCertificatePathPEM(), any.getPrivateKeyPEM());

            assertThat(material.chain()).startsWith(any.getCertificate());
            assertThat(material.key()).isEqualTo(any.getKeyPair().getPrivate());
            assertThat(material.clientAuthorities())
                    .containsExactly(pki.authority().getCertificate());
        }
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        for (X509Bundle other :
                List.of(pki.issue(pki.server()), pki.issue(pki.server().rsa2048()))) {
            assertThatThrownBy(() -> parse(server.getCertificatePathPEM(), other.getPrivateKeyPEM()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("tls.key: server.key (expected: the private key of server.pem)");
        }
    }

    @Test
    void whatIsInTheWrongFileIsRefusedWithoutShowingIt() {
        String key = server.getPrivateKeyPEM();

        assertThatThrownBy(() -> parse(key, key))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tls.certificate")
                .hasMessageNotContaining(key.lines().toList().get(1));
        for (String broken : List.of("", "not PEM", server.getCertificatePEM(), key.replaceAll("[A-F]", "G"))) {
            assertThatThrownBy(() -> parse(server.getCertificatePathPEM(), broken))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("tls.key")
                    .hasMessageNotContaining(key.lines().toList().get(1));
        }
        assertThatThrownBy(
                        () -> Material.parse(FILES, List.of(bytes(server.getCertificatePEM()), bytes(key), bytes("?"))))
                .hasMessageContaining("tls.client-ca");
    }

    private Material parse(String chain, String key) {
        return Material.parse(
                FILES, List.of(bytes(chain), bytes(key), bytes(pki.authority().getCertificatePEM())));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
