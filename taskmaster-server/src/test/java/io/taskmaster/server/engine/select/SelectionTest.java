package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.PartitionState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the choice of queues by a selector. */
final class SelectionTest {

    private static final QueueName BINARY = QueueName.wrap(new byte[] {'a', (byte) 0xff});

    private final PartitionState state = new PartitionState(EngineSettings.DEFAULTS);
    private final EngineState engine = EngineState.of(state);

    SelectionTest() {
        state.recovered();
        for (QueueKey key : List.of(
                QueueKey.of("g", "a1"),
                QueueKey.of("g", "a2"),
                QueueKey.of("g", "b"),
                new QueueKey(GroupName.of("g"), BINARY),
                QueueKey.of("h", "a1"))) {
            put(key);
        }
    }

    @Test
    void namesAndPatternTogetherChooseTheUnionInOrder() {
        assertThat(chosen("g", "a.", "b", "a2", "b", "none")).containsExactly("g/a1", "g/a2", "g/b");
    }

    @Test
    void namesAloneAreChosenOnceAndInOrder() {
        assertThat(chosen("g", null, "b", "a1", "b")).containsExactly("g/a1", "g/b");
    }

    @Test
    void aPatternMustMatchTheWholeName() {
        assertThat(chosen("g", "a")).isEmpty();
        assertThat(chosen("g", "a[12]")).containsExactly("g/a1", "g/a2");
    }

    @Test
    void aNameThatIsNotTextMatchesNoPatternButCanBeNamed() {
        Selector everyText =
                new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.of(NamePattern.compile("(?s).*")));
        assertThat(names(everyText, null)).containsExactly("g/a1", "g/a2", "g/b");
        Selector named = new Selector(Optional.of(GroupName.of("g")), List.of(BINARY), Optional.empty());
        assertThat(Selection.of(state, engine.selectors(), named, null, queue -> true, 9))
                .hasSize(1);
    }

    @Test
    void withoutAGroupEveryGroupIsLookedThrough() {
        assertThat(chosen(null, "a1")).containsExactly("g/a1", "h/a1");
        assertThat(chosen(null, null)).hasSize(5);
    }

    @Test
    void onlyWhatIsBehindTheLastOneIsChosen() {
        Selector all = new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.of(NamePattern.compile("..?")));
        assertThat(names(all, QueueKey.of("g", "a1"))).containsExactly("g/a2", "g/b");
        assertThat(names(all, QueueKey.of("a", "z"))).containsExactly("g/a1", "g/a2", "g/b");
        assertThat(names(all, QueueKey.of("g", "b"))).isEmpty();
    }

    @Test
    void whereAllThatAreNamedHaveRoomThereAreNoOthers() {
        Selector names = new Selector(
                Optional.of(GroupName.of("g")), List.of(QueueName.of("a1"), QueueName.of("b")), Optional.empty());
        Selection.Slice all = Selection.slice(state, engine.selectors(), names, Optional.empty(), queue -> true, 2, 9);
        assertThat(all.queues()).hasSize(2);
        assertThat(all.end()).isEmpty();
        Selection.Slice some = Selection.slice(state, engine.selectors(), names, Optional.empty(), queue -> true, 1, 9);
        assertThat(some.queues()).hasSize(1);
        assertThat(some.end()).contains(QueueKey.of("g", "a1"));
    }

    private List<String> chosen(@Nullable String group, @Nullable String pattern, String... names) {
        Selector selector = new Selector(
                Optional.ofNullable(group).map(GroupName::of),
                Stream.of(names).map(QueueName::of).toList(),
                Optional.ofNullable(pattern).map(NamePattern::compile));
        return names(selector, null);
    }

    private List<String> names(Selector selector, @Nullable QueueKey after) {
        return Selection.of(state, engine.selectors(), selector, after, queue -> true, 100).stream()
                .map(queue -> queue.key().toString())
                .toList();
    }

    private void put(QueueKey key) {
        ApplyAtom.Put put = new ApplyAtom.Put(Pid.of("p"), new Enqueued(new Payload(Bytes.EMPTY, Map.of()), 0, 0));
        long ticket = state.lastTicket() + 1;
        QueueChange change = new QueueChange(key, ticket, false, new Sizes(1, 0, 0), FifoPid.NONE, List.of(put));
        state.apply(new ApplyAtom(ticket, List.of(change)), 0);
    }
}
