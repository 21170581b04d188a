package io.taskmaster.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.proxy.TestPorts;
import org.junit.jupiter.api.Test;

/** Tests of the combinations of files for TLS. */
final class TlsConfigTest {

    @Test
    void authoritiesOfClientCertificatesNeedACertificateAndAnAccessFile() {
        SettingsReader<TestPorts> reader = TestPorts.reader().set("tls.client-ca", "ca");
        String refusal = "tls.client-ca: ca (expected: empty, unless tls.certificate and access.file are set)";
        assertThatThrownBy(reader::read).isInstanceOf(ConfigException.class).hasMessage(refusal);
        reader.set("tls.certificate", "c").set("tls.key", "k");
        assertThatThrownBy(reader::read).isInstanceOf(ConfigException.class).hasMessage(refusal);

        TestPorts ports = reader.set("access.file", "a").read();

        assertThat(ports.listen().requestsClientCertificates()).isTrue();
    }
}
