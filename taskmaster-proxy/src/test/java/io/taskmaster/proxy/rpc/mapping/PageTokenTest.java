package io.taskmaster.proxy.rpc.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PageTokenTest {

    private static final int SEEDS = 20_000;
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    @Test
    void anyQueueComesBackFromItsToken() {
        for (long seed = 0; seed < SEEDS; seed++) {
            QueueKey queue = randomQueue(new SplittableRandom(seed));
            assertThat(PageToken.parse(PageToken.of(queue))).as("seed %d", seed).contains(queue);
        }
    }

    @Test
    void theLongestNamesFit() {
        var queue = new QueueKey(GroupName.wrap(new byte[1024]), QueueName.wrap(new byte[1024]));
        assertThat(PageToken.parse(PageToken.of(queue))).contains(queue);
    }

    @Test
    void aTokenWithOneCharacterChangedIsRefusedOrTheSameQueue() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            QueueKey queue = randomQueue(random);
            var token = new StringBuilder(PageToken.of(queue));
            token.setCharAt(random.nextInt(token.length()), ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            try {
                // The last character has bits without a meaning.
                assertThat(PageToken.parse(token.toString()))
                        .as("seed %d", seed)
                        .contains(queue);
            } catch (TaskMasterException e) {
                assertThat(e.code()).as("seed %d", seed).isEqualTo(ErrorCode.BAD_PAGE_TOKEN);
            }
        }
    }

    @Test
    void whateverTextIsSentOnlyItsOwnErrorComesOut() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var token = new StringBuilder();
            for (int i = random.nextInt(1, 60); i > 0; i--) {
                token.append(random.nextInt(30) == 0 ? '\u20AC' : ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            assertThatThrownBy(() -> PageToken.parse(token.toString()))
                    .as("seed %d", seed)
                    .isInstanceOfSatisfying(
                            TaskMasterException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_PAGE_TOKEN));
        }
    }

    @Test
    void anOverlongTokenIsRefused() {
        assertThatThrownBy(() -> PageToken.parse("A".repeat(100_000))).isInstanceOf(TaskMasterException.class);
    }

    private static QueueKey randomQueue(SplittableRandom random) {
        byte[] group = new byte[random.nextInt(20)];
        byte[] name = new byte[random.nextInt(1, 20)];
        random.nextBytes(group);
        random.nextBytes(name);
        return new QueueKey(GroupName.wrap(group), QueueName.wrap(name));
    }
}
