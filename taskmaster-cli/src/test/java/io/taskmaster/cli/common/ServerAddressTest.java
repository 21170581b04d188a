package io.taskmaster.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.proxy.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerAddressTest {

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org:7400",
        "example.org:7500, example.org:7500",
        "10.0.0.1, 10.0.0.1:7400",
        "::1, [::1]:7400",
        "[::1], [::1]:7400",
        "[::1]:7500, [::1]:7500",
        "fe80::1%eth0, [fe80::1%eth0]:7400",
        "dns:example.org:7500, dns:example.org:7500",
        "dns:///example.org:7500, dns:///example.org:7500"
    })
    void aHostWithoutPortMeansPort7400(String text, String target) {
        assertThat(ServerAddress.parse("--server", text)).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ":7400",
                "example.org:port",
                "example.org:70000",
                "a:b:c",
                "[a:b]:7400",
                "ipv4:10.0.0.1:7400"
            })
    void anythingElseIsRefusedWithItsOrigin(String text) {
        assertThatThrownBy(() -> ServerAddress.parse("TASKMASTER_SERVER", text))
                .isInstanceOf(ConfigException.class)
                .hasMessage("TASKMASTER_SERVER: " + text + " (expected: HOST or HOST:PORT)");
    }

    @Test
    void theDefaultIsAnAddressItself() {
        assertThat(ServerAddress.parse("--server", ServerAddress.DEFAULT)).isEqualTo(ServerAddress.DEFAULT);
    }
}
