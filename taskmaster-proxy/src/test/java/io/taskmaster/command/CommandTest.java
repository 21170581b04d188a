package io.taskmaster.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of commands: sizes of payloads, the rest of a lease, and what a selector can choose. */
final class CommandTest {

    private static final Optional<GroupName> GROUP = Optional.of(GroupName.of("g"));
    private static final Optional<NamePattern> ANY = Optional.of(NamePattern.compile(".*"));

    @Test
    void aPayloadIsAsLargeAsItsDataAndItsHeaders() {
        assertThat(new Payload(Bytes.of("12345"), Map.of()).bytes()).isEqualTo(5);
        assertThat(new Payload(Bytes.of("12345"), Map.of("key", "v")).bytes()).isEqualTo(5 + 8 + 3 + 1);
        assertThat(new Payload(Bytes.EMPTY, Map.of("a", "", "b", "\u00e4")).bytes())
                .as("in UTF-8")
                .isEqualTo(8 + 1 + 8 + 1 + 2);
    }

    @Test
    void theRestOfALeaseIsWhatItHasNotGotAndDoesNotWait() {
        Lease lease = new Lease(Selector.of(QueueKey.of("q")), 10, 100, 5, Optional.of(Pid.of("m")), 7, 3, "w", "here");
        assertThat(lease.without(4, 30))
                .isEqualTo(new Lease(lease.selector(), 6, 70, 5, lease.maxPid(), 0, 3, "w", "here", false));
        assertThat(lease.without(4, 130).maxBytes())
                .as("the first task may be larger")
                .isZero();
    }

    @Test
    void oneNameInAGroupIsOneQueue() {
        Selector one = Selector.of(QueueKey.of("g", "q"));
        assertThat(one.isOneQueue()).isTrue();
        assertThat(one.isByName()).isTrue();
        assertThat(one.choosesAll()).isFalse();
        assertThat(one.keys()).containsExactly(QueueKey.of("g", "q"));
    }

    @Test
    void severalNamesAreNamedQueuesEachOfThemOnce() {
        Selector names = selector(GROUP, Optional.empty(), "b", "a", "b");
        assertThat(names.isOneQueue()).isFalse();
        assertThat(names.isByName()).isTrue();
        assertThat(names.keys()).containsExactly(QueueKey.of("g", "b"), QueueKey.of("g", "a"));
    }

    @Test
    void namesInEveryGroupOrBesideAPatternMayChooseMore() {
        Selector everywhere = selector(Optional.empty(), Optional.empty(), "a");
        assertThat(everywhere.isByName()).isFalse();
        assertThat(everywhere.keys()).isEmpty();
        assertThat(selector(GROUP, ANY, "a").isByName()).isFalse();
        assertThat(selector(GROUP, ANY).choosesAll())
                .as("it is held against each name")
                .isFalse();
        assertThat(selector(GROUP, Optional.empty()).choosesAll()).isTrue();
        assertThat(selector(GROUP, Optional.empty()).isByName()).isFalse();
    }

    private static Selector selector(Optional<GroupName> group, Optional<NamePattern> pattern, String... names) {
        return new Selector(group, List.of(names).stream().map(QueueName::of).toList(), pattern);
    }
}
