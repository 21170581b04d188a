package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@link CloseStack}: order of closing, and failures. */
final class CloseStackTest {

    private final CloseStack closeStack = new CloseStack();
    private final List<String> ended = new ArrayList<>();

    @Test
    void whatWasStartedLastEndsFirstAndOnce() {
        assertThat(closeStack.add("inside", ended::add)).isEqualTo("inside");
        closeStack.add("outside", ended::add);
        closeStack.close();
        closeStack.close();
        assertThat(ended).containsExactly("outside", "inside");
    }

    @Test
    void aPartThatDoesNotEndAsItShouldKeepsNoOtherFromEnding() {
        closeStack.add("inside", ended::add);
        closeStack.add("broken", _ -> {
            throw new IllegalStateException("broken");
        });
        closeStack.add("outside", ended::add);
        closeStack.close();
        assertThat(ended).containsExactly("outside", "inside");
    }
}
