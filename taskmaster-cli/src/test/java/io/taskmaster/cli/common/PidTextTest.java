package io.taskmaster.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Pid;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PidTextTest {

    @Test
    void anAssignedPidIsItsTicketAndIndex() {
        assertThat(PidText.line(new FifoPid(48_213, 7).toPid())).isEqualTo("fifo:48213-7");
        assertThat(PidText.text(new FifoPid(-1, -1).toPid())).isEqualTo("fifo:18446744073709551615-4294967295");
        assertThat(PidText.parse("fifo:48213-7")).isEqualTo(new FifoPid(48_213, 7).toPid());
    }

    @Test
    void everyPidIsReadAsItWasWritten() {
        Random random = new Random(24);
        for (int i = 0; i < 20_000; i++) {
            Pid pid = anyPid(random);
            assertThat(PidText.parse(PidText.line(pid))).isEqualTo(pid);
            assertThat(PidText.parse(PidText.text(pid))).isEqualTo(pid);
            assertThat(PidText.line(pid)).doesNotContain("\t", "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fifo:",
                "fifo:1",
                "fifo:-1",
                "fifo:1-",
                "fifo:01-1",
                "fifo:1-01",
                "fifo:+1-1",
                "fifo:1-1-1",
                " fifo:1-1",
                "fifo:18446744073709551616-0",
                "fifo:1-4294967296",
                "FIFO:1-1"
            })
    void otherTextIsTheTextItself(String text) {
        assertThat(PidText.parse(text)).isEqualTo(Pid.of(text));
        assertThat(PidText.line(Pid.of(text))).isEqualTo(text);
    }

    @Test
    void aPidWhoseTextLooksAssignedIsWrittenInBase64() {
        Pid text = Pid.of("fifo:1-1");
        assertThat(PidText.line(text)).isEqualTo("base64:ZmlmbzoxLTE=");
        assertThat(PidText.parse("base64:ZmlmbzoxLTE=")).isEqualTo(text);
    }

    private static Pid anyPid(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new FifoPid(random.nextLong() >>> random.nextInt(64), random.nextInt()).toPid();
            case 1 -> Pid.of("fifo:" + random.nextInt(20) + "-" + random.nextInt(20));
            case 2 ->
                Pid.of(List.of("base64:", "fifo:", "a\tb", "é", "fifo:1", "base64:AA==")
                        .get(random.nextInt(6)));
            default -> {
                byte[] bytes = new byte[random.nextInt(16)];
                random.nextBytes(bytes);
                if (bytes.length > 0 && random.nextBoolean()) {
                    bytes[0] = (byte) 0x80;
                }
                yield Pid.wrap(bytes);
            }
        };
    }
}
