package io.taskmaster.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskQueueTest {

    private static final Optional<GroupName> GROUP = Optional.of(GroupName.of("g"));
    private static final TaskQueue<String> FAMILY = TaskQueue.family("a.b+c", Codec.utf8());

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "", "example.com", "dead", "d", "ad", "ead", "x.deadx", "x.dea", "xdead", "a\nb", "é/ü"})
    void everyMemberIsSelected(String member) {
        assertThat(Pattern.matches(pattern(), "a.b+c/" + member)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.b+c/x.dead", "a.b+c/.dead", "a.b+c/x.dead.dead", "axb+c/x", "a.bbc/x", "a.b+c", "za.b+c/x"})
    void deadLettersAndStrangersAreNot(String name) {
        assertThat(Pattern.matches(pattern(), name)).isFalse();
    }

    @Test
    void deadLettersOfAFamilyAreNoMembersOfIt() {
        QueueName member = FAMILY.task("m", "payload").name();
        assertThat(Pattern.matches(pattern(), member.toString())).isTrue();
        assertThat(Pattern.matches(pattern(), DeadLetter.queueOf(member).toString()))
                .isFalse();
        assertThat(FAMILY.memberOf(member)).isEqualTo("m");
    }

    @Test
    void oneQueueIsSelectedByItsName() {
        TaskQueue<String> queue = TaskQueue.of("q", Codec.utf8());
        assertThat(queue.selector(GROUP)).isEqualTo(QueueSelector.of(GROUP.get(), QueueName.of("q")));
        assertThat(queue.memberOf(QueueName.of("q"))).isEmpty();
    }

    @Test
    void taskOfAFamilyNamesItsMember() {
        assertThatThrownBy(() -> FAMILY.task("payload")).hasMessageContaining("expected: one of its queues");
        assertThatThrownBy(() -> TaskQueue.of("q", Codec.utf8()).task("m", "payload"))
                .hasMessageContaining("expected: a family of queues");
    }

    private static String pattern() {
        return FAMILY.selector(GROUP).pattern().orElseThrow();
    }
}
