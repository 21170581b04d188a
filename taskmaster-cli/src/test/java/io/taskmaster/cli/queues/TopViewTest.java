package io.taskmaster.cli.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.screen.Key;
import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TopViewTest {

    private static final GroupName GROUP = GroupName.of("g");

    private final TopView first = new TopView(QueueSelector.allIn(GROUP), GROUP, TopOrder.AVAILABLE, false);

    @ParameterizedTest
    @EnumSource
    void aKeySortsAndStaysWithTheDirection(TopOrder order) {
        TopView sorted = typed(first, String.valueOf(order.key()));
        assertThat(sorted.order()).isEqualTo(order);
        assertThat(sorted.request(7).order()).isEqualTo(order.order());
        assertThat(sorted.request(7).maxQueues()).isEqualTo(7);
    }

    @Test
    void namesRiseAndNumbersFallUnlessReversed() {
        assertThat(typed(first, "n").request(1).descending()).isFalse();
        assertThat(typed(first, "nr").request(1).descending()).isTrue();
        assertThat(typed(first, "e").request(1).order()).isEqualTo(QueueOrder.ENQUEUE_RATE);
        assertThat(typed(first, "e").request(1).descending()).isTrue();
        assertThat(typed(first, "re").request(1).descending()).isFalse();
        assertThat(typed(first, "rr")).isEqualTo(first);
    }

    @Test
    void aPatternIsTypedCorrectedAndTaken() {
        TopView typing = typed(first, "/fetchd").on(Key.BACKSPACE);
        assertThat(typing.mode()).isEqualTo(TopView.Mode.TYPING);
        assertThat(typing.typed()).isEqualTo("fetch");
        assertThat(typing.queues().pattern()).as("not taken yet").isEmpty();

        TopView taken = typed(typing, "/.*").on(Key.ENTER);
        assertThat(taken.queues()).isEqualTo(QueueSelector.matching(GROUP, "fetch/.*"));
        assertThat(taken.mode()).isEqualTo(TopView.Mode.TABLE);

        TopView again = typed(taken, "/x");
        assertThat(again.typed()).as("goes on with the last").isEqualTo("fetch/.*x");
        assertThat(again.on(Key.ESCAPE)).isEqualTo(taken);
    }

    @Test
    void withoutAPatternAllAreShownAgain() {
        TopView some = typed(first, "/a").on(Key.ENTER);
        assertThat(typed(some, "/")
                        .on(Key.BACKSPACE)
                        .on(Key.BACKSPACE)
                        .on(Key.ENTER)
                        .queues())
                .isEqualTo(QueueSelector.allIn(GROUP));
    }

    @Test
    void aCharacterOfTwoHalvesIsOneToBackspace() {
        assertThat(typed(first, "/a").on(new Key(0x1F680)).on(Key.BACKSPACE).typed())
                .isEqualTo("a");
    }

    @Test
    void whileAPatternIsTypedLettersAreLetters() {
        TopView typing = typed(first, "/qrn?g");
        assertThat(typing.typed()).isEqualTo("qrn?g");
        assertThat(typing.order()).isEqualTo(TopOrder.AVAILABLE);
        assertThat(typing.on(new Key(1)).typed()).as("a control character").isEqualTo("qrn?g");
    }

    @Test
    void aPatternTakesThePlaceOfNames() {
        TopView named = new TopView(QueueSelector.of(GROUP, QueueName.of("q")), GROUP, TopOrder.NAME, false);
        assertThat(typed(named, "/x").on(Key.ENTER).queues()).isEqualTo(QueueSelector.matching(GROUP, "x"));
    }

    @Test
    void allGroupsAreShownAndTheOneAgain() {
        TopView all = typed(first, "g");
        assertThat(all.queues()).isEqualTo(QueueSelector.all());
        assertThat(typed(all, "g")).isEqualTo(first);
        assertThat(typed(new TopView(QueueSelector.all(), GroupName.EMPTY, TopOrder.NAME, false), "g")
                        .queues()
                        .group())
                .isEqualTo(Optional.of(GroupName.EMPTY));
    }

    @Test
    void helpComesAndGoes() {
        TopView help = typed(first, "?");
        assertThat(help.mode()).isEqualTo(TopView.Mode.HELP);
        assertThat(typed(help, "?")).isEqualTo(first);
        assertThat(help.on(Key.ESCAPE)).isEqualTo(first);
        assertThat(typed(help, "o").mode()).isEqualTo(TopView.Mode.TABLE);
    }

    @Test
    void itIsOverWithQAndWheneverNobodyTypesAnyMore() {
        assertThat(typed(first, "q").mode()).isEqualTo(TopView.Mode.OVER);
        assertThat(first.on(Key.INTERRUPT).mode()).isEqualTo(TopView.Mode.OVER);
        assertThat(typed(first, "/q").on(Key.INTERRUPT).mode()).isEqualTo(TopView.Mode.OVER);
        assertThat(typed(first, "/").on(Key.END).mode()).isEqualTo(TopView.Mode.OVER);
    }

    private static TopView typed(TopView view, String keys) {
        TopView now = view;
        for (int code : keys.codePoints().toArray()) {
            now = now.on(new Key(code));
        }
        return now;
    }
}
