package io.taskmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ColumnsTest {

    @Test
    void textIsFilledUpOrCut() {
        assertThat(Columns.fit("queue", 7)).isEqualTo("queue  ");
        assertThat(Columns.fit("queue", 5)).isEqualTo("queue");
        assertThat(Columns.fit("queue", 4)).isEqualTo("que…");
        assertThat(Columns.fit("queue", 1)).isEqualTo("…");
        assertThat(Columns.fit("queue", 0)).isEmpty();
        assertThat(Columns.atMost("queue", 7)).isEqualTo("queue");
        assertThat(Columns.atMost("queue", 4)).isEqualTo("que…");
    }

    @Test
    void wideCharactersTakeTwoColumnsAndAreNotHalved() {
        assertThat(Columns.of("任务")).isEqualTo(4);
        assertThat(Columns.fit("任务", 6)).isEqualTo("任务  ");
        assertThat(Columns.fit("任务队列", 6))
                .isEqualTo("任务… ")
                .satisfies(cut -> assertThat(Columns.of(cut)).isEqualTo(6));
        assertThat(Columns.fit("任务队列", 5)).isEqualTo("任务…");
    }

    @Test
    void whatTakesNoColumnIsLeftOut() {
        assertThat(Columns.fit("a\u202Eb\033[2Jc\u0301", 8)).isEqualTo("ab[2Jc  ");
        assertThat(Columns.atMost("a\u200Bb\n", 8)).isEqualTo("ab");
    }
}
