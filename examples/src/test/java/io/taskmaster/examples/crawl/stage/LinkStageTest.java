package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.client.UpdateResult.Status.ABORTED;
import static io.taskmaster.client.UpdateResult.Status.ALREADY_EXISTS;
import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkStageTest {

    private final LinkStage stage = new LinkStage(Site.GUAVA);

    @Test
    void newPagesEnterTheDurableSetAndTheFetchQueueInOneUpdate() {
        assertThat(follow("A.html", "B.html").enqueues())
                .containsExactly(
                        Enqueue.of(Queues.FOLLOWED, page("P.html").pid(), new FollowedPage(2, 0, 0).encode()),
                        seen("A.html"),
                        fetch("A.html"),
                        seen("B.html"),
                        fetch("B.html"));
    }

    @Test
    void linksToOnePageCollapseWithinAPage() {
        Outcome.HandOff handOff = follow("A.html", "A.html#x", "./A.html", "http://elsewhere.test/A.html");
        assertThat(handOff.enqueues())
                .containsExactly(
                        Enqueue.of(Queues.FOLLOWED, page("P.html").pid(), new FollowedPage(4, 2, 0).encode()),
                        seen("A.html"),
                        fetch("A.html"));
    }

    @Test
    void knownPagesAreLeftOutOfTheNextProposal() {
        Outcome.HandOff handOff = follow("A.html", "B.html", "C.html");
        assertThat(handOff.narrowed(
                                List.of(ABORTED, ALREADY_EXISTS, ABORTED, ABORTED, ABORTED, ALREADY_EXISTS, ABORTED))
                        .orElseThrow()
                        .enqueues())
                .containsExactly(
                        Enqueue.of(Queues.FOLLOWED, page("P.html").pid(), new FollowedPage(3, 2, 0).encode()),
                        seen("B.html"),
                        fetch("B.html"));
    }

    @Test
    void refusalThatNamesNoKnownPageEndsIt() {
        assertThat(follow("A.html").narrowed(List.of(ABORTED, ABORTED, ABORTED)))
                .isEmpty();
    }

    private Outcome.HandOff follow(String... hrefs) {
        Bytes links = new PageLinks(Tasks.BASE, List.of(hrefs)).encode();
        return (Outcome.HandOff) stage.work(Tasks.task(StageName.LINKS, page("P.html"), links));
    }

    private static Enqueue seen(String name) {
        return Enqueue.of(Queues.SEEN, page(name).pid(), Bytes.EMPTY).ifExists(IfExists.FAIL);
    }

    private static Enqueue fetch(String name) {
        return Enqueue.of(Queues.of(StageName.FETCH, page(name)), page(name).pid(), Bytes.EMPTY);
    }
}
