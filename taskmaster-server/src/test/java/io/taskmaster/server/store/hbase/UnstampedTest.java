package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnstampedTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0000", "0001", "01", "0100", "ff", "ff00"})
    void anyValueComesBackAndIsNeverStoredEmpty(String hex) {
        Bytes value = bytes(hex);
        Bytes stored = Unstamped.encode(value);

        assertThat(stored.isEmpty()).isFalse();
        assertThat(Bytes.wrap(Unstamped.decode(stored.unsafeArray()))).isEqualTo(value);
    }

    @Test
    void whatIsReallyStoredIsStoredAsItIs() {
        assertThat(Unstamped.encode(bytes("0102"))).isEqualTo(bytes("0102"));
    }

    @Test
    void differentValuesAreStoredDifferently() {
        assertThat(Unstamped.encode(bytes(""))).isEqualTo(bytes("00")).isNotEqualTo(Unstamped.encode(bytes("00")));
    }

    private static Bytes bytes(String hex) {
        return Bytes.wrap(HexFormat.of().parseHex(hex));
    }
}
