package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Task;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RetriesTest {

    @Test
    void retriesAreCarriedFromStageToStage() {
        Task<Bytes> fetched = Tasks.task(CrawlQueues.FETCH, page("A.html"), Bytes.EMPTY, Map.of(), 3);
        Task<Bytes> extracted =
                Tasks.task(CrawlQueues.EXTRACT, page("A.html"), Bytes.EMPTY, Retries.header(fetched), 2);

        assertThat(Retries.upTo(extracted)).isEqualTo(3);
        assertThat(Retries.at(extracted)).isEqualTo(1);
    }
}
