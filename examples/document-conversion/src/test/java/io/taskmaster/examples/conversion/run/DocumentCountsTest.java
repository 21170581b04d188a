package io.taskmaster.examples.conversion.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.examples.conversion.stage.ConversionQueues;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DocumentCountsTest {

    @Test
    void everyDocumentIsInOnePlace() {
        DocumentCounts now = counts(
                queue("requested", 12),
                queue("convert", 3),
                queue("backoff/2", 1),
                queue("backoff/1", 2),
                queue("backoff/4.dead", 1),
                queue("converted", 5));
        assertThat(now.addUp()).isTrue();
        assertThat(now.isOver()).isFalse();
        assertThat(now.line())
                .isEqualTo("5 of 12 documents converted, 1 denied; 3 wait; backing off: 2 after 1, 1 after 2");
    }

    @Test
    void itIsOverWhenAllAreConvertedOrDenied() {
        assertThat(counts(queue("requested", 2), queue("converted", 1), queue("backoff/4.dead", 1))
                        .isOver())
                .isTrue();
        assertThat(counts(queue("requested", 2), queue("converted", 1)).addUp()).isFalse();
    }

    private static DocumentCounts counts(QueueSummary... queues) {
        return DocumentCounts.of(new QueueSizes(List.of(queues)));
    }

    private static QueueSummary queue(String name, long tasks) {
        return new QueueSummary(new QueueKey(ConversionQueues.GROUP, QueueName.of(name)), tasks, 0, 0);
    }
}
