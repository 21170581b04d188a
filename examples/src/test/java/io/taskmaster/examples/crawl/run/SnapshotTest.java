package io.taskmaster.examples.crawl.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.demo.Listing;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SnapshotTest {

    @Test
    void crawlIsDoneWhenNoStageHoldsATaskLeasedOnesIncluded() {
        assertThat(Snapshot.of(listing(queue("seen", 9, 0), queue("followed", 9, 0), queue("fetch/a.dead", 1, 0)))
                        .isIdle())
                .isTrue();
        assertThat(Snapshot.of(listing(queue("links/a", 0, 1))).isIdle()).isFalse();
    }

    @Test
    void sizesOfTheSectionsAddUpPerStage() {
        Snapshot now = Snapshot.of(listing(
                queue("fetch/a", 2, 1), queue("fetch/b/c", 3, 0), queue("fetch/a.dead", 1, 0), queue("seen", 10, 0)));
        assertThat(now.waiting(StageName.FETCH)).isEqualTo(6);
        assertThat(now.dead(StageName.FETCH)).isEqualTo(1);
        assertThat(now.line(4)).isEqualTo("4 of 10 pages indexed; fetch 6 extract 0 links 0 index 0; given up 1");
    }

    @Test
    void handOffsFollowFromWhatHasArrived() {
        // Ten pages: three to fetch, one to parse, two to follow; four followed, five indexed, one on its way to the
        // index.
        Snapshot now = Snapshot.of(listing(
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
        assertThat(new Facts(934, 113439, 112506, 3736, 2, 0).line(250))
                .isEqualTo(
                        "934 pages indexed, 113439 links seen, 112506 collapsed, 3736 hand-offs, 250 tasks/s, 2 retries");
    }

    private static QueueSummary queue(String name, long available, long leased) {
        return new QueueSummary(new QueueKey(Queues.GROUP, QueueName.of(name)), available, leased, 0);
    }

    private static Listing listing(QueueSummary... queues) {
        return new Listing(List.of(queues));
    }
}
