package io.taskmaster.examples.crawl.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.examples.crawl.stage.CrawlQueues;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CrawlSnapshotTest {

    @Test
    void crawlIsDoneWhenNoStageHoldsATaskLeasedOnesIncluded() {
        assertThat(CrawlSnapshot.of(sizes(queue("seen", 9, 0), queue("followed", 9, 0), queue("fetch/a.dead", 1, 0)))
                        .isIdle())
                .isTrue();
        assertThat(CrawlSnapshot.of(sizes(queue("links/a", 0, 1))).isIdle()).isFalse();
    }

    @Test
    void sizesOfTheSectionsAddUpPerStage() {
        CrawlSnapshot now = CrawlSnapshot.of(sizes(
                queue("fetch/a", 2, 1), queue("fetch/b/c", 3, 0), queue("fetch/a.dead", 1, 0), queue("seen", 10, 0)));
        assertThat(now.waiting(CrawlStage.FETCH)).isEqualTo(6);
        assertThat(now.dead(CrawlStage.FETCH)).isEqualTo(1);
        assertThat(now.line(4)).isEqualTo("4 of 10 pages indexed; fetch 6 extract 0 links 0 index 0; dead letters 1");
    }

    @Test
    void handOffsFollowFromWhatHasArrived() {
        // Ten pages: three to fetch, one to parse, two to follow; four followed, five indexed, one on its way to the
        // index.
        CrawlSnapshot now = CrawlSnapshot.of(sizes(
                queue("seen", 10, 0),
                queue("fetch/a", 2, 1),
                queue("extract/a", 1, 0),
                queue("links/a", 1, 1),
                queue("index/a", 1, 0),
                queue("followed", 4, 0)));
        assertThat(now.handOffs(5)).isEqualTo(7 + 6 + 4 + 5);
    }

    @Test
    void lastLineIsForScripts() {
        assertThat(new CrawlTotals(934, 113439, 112506, 3736, 2, 0).line(250))
                .isEqualTo(
                        "934 pages indexed, 113439 links seen, 112506 collapsed, 3736 hand-offs, 250 tasks/s, 2 retries");
    }

    private static QueueSummary queue(String name, long available, long leased) {
        return new QueueSummary(new QueueKey(CrawlQueues.GROUP, QueueName.of(name)), available, leased, 0);
    }

    private static QueueSizes sizes(QueueSummary... queues) {
        return new QueueSizes(List.of(queues));
    }
}
