package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.CrawlQueues.FOLLOWED;

import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.stage.Handler;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Task;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The handler that makes the links of a page canonical and hands those to unknown pages of the site on to fetch.
 * Thread-safe.
 */
final class LinkHandler implements Handler<PageLinks> {

    private final Site site;

    LinkHandler(Site site) {
        this.site = site;
    }

    @Override
    public Outcome handle(Task<PageLinks> task) {
        PageLinks links = task.payload();
        Set<PageUrl> pages = new LinkedHashSet<>();
        int ours = 0;
        for (String href : links.hrefs()) {
            PageUrl target = site.resolve(links.base(), href).orElse(null);
            if (target != null) {
                ours++;
                pages.add(target);
            }
        }
        return discover(
                List.copyOf(pages), new FollowedPage(links.hrefs().size(), ours - pages.size(), Retries.at(task)));
    }

    /**
     * Hands off all pages that may be new, in one update. If some are known it is refused, and names them; the rest is
     * handed off again. Each round leaves out at least one page, so this terminates, usually after two rounds.
     *
     * @param counts the counts of the page; {@code collapsed} is right if all of the pages are new
     */
    private static Outcome discover(List<PageUrl> proposed, FollowedPage counts) {
        List<NewTask<?>> tasks = Stream.concat(
                        Stream.<NewTask<?>>of(FOLLOWED.task(counts)),
                        proposed.stream().flatMap(CrawlPipeline::discovery))
                .toList();
        return Outcome.handOff(tasks).otherwise(refusal -> {
            List<PageUrl> fresh = proposed.stream()
                    .filter(page -> !refusal.pids().contains(page.pid()))
                    .toList();
            return discover(fresh, counts.withMoreCollapsed(proposed.size() - fresh.size()));
        });
    }
}
