package io.taskmaster.bench.seda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SocketScaleIT {

    private static final Duration SHORT = Duration.ofMillis(600);

    @Test
    void fewConnectionsAreMeasured() throws InterruptedException {
        String text = new SocketScale(List.of(2, 10), 2, 20, SHORT).run(SHORT);
        assertThat(text)
                .startsWith("### Sockets")
                .containsPattern("\\| 10 \\| [1-9][0-9,]* \\| [0-9,]+ \\| [0-9]+ % \\|")
                .contains("bar [")
                .contains("20 silent connections beside 2");
    }

    @Test
    void tooFewFilesAreSaidAtOnce() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new SocketScale(List.of(Integer.MAX_VALUE - 1_000), 2, 20, SHORT).run(SHORT))
                .withMessageStartingWith("open files (ulimit -n): ");
    }
}
