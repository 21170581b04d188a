package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@link Started}: order of closing, and failures. */
final class StartedTest {

    private final Started started = new Started();
    private final List<String> ended = new ArrayList<>();

    @Test
    void whatWasStartedLastEndsFirstAndOnce() {
        assertThat(started.add("inside", ended::add)).isEqualTo("inside");
        started.add("outside", ended::add);
        started.close();
        started.close();
        assertThat(ended).containsExactly("outside", "inside");
    }

    @Test
    void aPartThatDoesNotEndAsItShouldKeepsNoOtherFromEnding() {
        started.add("inside", ended::add);
        started.add("broken", _ -> {
            throw new IllegalStateException("broken");
        });
        started.add("outside", ended::add);
        started.close();
        assertThat(ended).containsExactly("outside", "inside");
    }
}
