package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.Update.IfExists;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Outcome.HandOff;
import io.taskmaster.stage.Outcome.Refusal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LinkHandlerTest {

    private final LinkHandler handler = new LinkHandler(Site.GUAVA);

    @Test
    void newPagesEnterTheDurableSetAndTheFetchQueueInOneUpdate() {
        assertThat(follow("A.html", "B.html").tasks())
                .containsExactly(
                        CrawlQueues.FOLLOWED.task(new FollowedPage(2, 0, 0)),
                        seen("A.html"),
                        fetch("A.html"),
                        seen("B.html"),
                        fetch("B.html"));
    }

    @Test
    void linksToOnePageCollapseWithinAPage() {
        assertThat(follow("A.html", "A.html#x", "./A.html", "http://elsewhere.test/A.html")
                        .tasks())
                .containsExactly(CrawlQueues.FOLLOWED.task(new FollowedPage(4, 2, 0)), seen("A.html"), fetch("A.html"));
    }

    @Test
    void knownPagesAreLeftOutOfTheNextProposal() {
        HandOff first = follow("A.html", "B.html", "C.html");
        Refusal known = new Refusal(
                List.of(seen("A.html"), seen("C.html")),
                Set.of(page("A.html").pid(), page("C.html").pid()));

        assertThat(answer(first, known).tasks())
                .containsExactly(CrawlQueues.FOLLOWED.task(new FollowedPage(3, 2, 0)), seen("B.html"), fetch("B.html"));
    }

    @Test
    void pageWhoseLinksAreAllKnownIsFollowedAllTheSame() {
        HandOff first = follow("A.html");
        Refusal known =
                new Refusal(List.of(seen("A.html")), Set.of(page("A.html").pid()));

        assertThat(answer(first, known).tasks()).containsExactly(CrawlQueues.FOLLOWED.task(new FollowedPage(1, 1, 0)));
    }

    private HandOff follow(String... hrefs) {
        PageLinks links = new PageLinks(Tasks.BASE, List.of(hrefs));
        return (HandOff) handler.handle(Tasks.task(CrawlQueues.LINKS, page("P.html"), links));
    }

    private static HandOff answer(HandOff refused, Refusal refusal) {
        Outcome next = refused.otherwise().orElseThrow().apply(refusal);
        return (HandOff) next;
    }

    private static NewTask<?> seen(String name) {
        return CrawlQueues.SEEN.task(Bytes.EMPTY).at(page(name).pid()).ifExists(IfExists.FAIL);
    }

    private static NewTask<?> fetch(String name) {
        return CrawlQueues.FETCH
                .task(page(name).section(), Bytes.EMPTY)
                .at(page(name).pid());
    }
}
