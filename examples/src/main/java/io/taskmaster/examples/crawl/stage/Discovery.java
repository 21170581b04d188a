package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pages that the links of one page lead to, handed off in one update: each enters the durable set with FAIL and the fetch
 * queue of its section at once, so a page is fetched if and only if it is new. The update proposes all pages that may be new. If
 * some are known it is refused, and its statuses say which; what remains is proposed again. Every round leaves at least one page
 * out, so there is an end; mostly it takes two. Immutable.
 *
 * @param page whose links these are
 * @param proposed pages that may be new, each once
 * @param counts with {@code collapsed} as it is if all of them are
 */
record Discovery(PageUrl page, List<PageUrl> proposed, FollowedPage counts) implements Outcome.HandOff {

    Discovery {
        proposed = List.copyOf(proposed);
    }

    /** Enters a page into the crawl; refused as a whole if it is known. */
    static Stream<Enqueue> discover(PageUrl page) {
        return Stream.of(
                Enqueue.of(Queues.SEEN, page.pid(), Bytes.EMPTY).ifExists(IfExists.FAIL),
                Enqueue.of(Queues.of(StageName.FETCH, page), page.pid(), Bytes.EMPTY));
    }

    /** The record of the page first, then two for each page that is proposed. */
    @Override
    public List<Enqueue> enqueues() {
        Enqueue followed = Enqueue.of(Queues.FOLLOWED, page.pid(), counts.encode());
        return Stream.concat(Stream.of(followed), proposed.stream().flatMap(Discovery::discover))
                .toList();
    }

    @Override
    public Optional<HandOff> narrowed(List<Status> statuses) {
        List<PageUrl> fresh = new ArrayList<>();
        for (int i = 0; i < proposed.size(); i++) {
            if (statuses.get(1 + 2 * i) != Status.ALREADY_EXISTS) {
                fresh.add(proposed.get(i));
            }
        }
        int known = proposed.size() - fresh.size();
        return known == 0
                ? Optional.empty()
                : Optional.of(new Discovery(
                        page, fresh, new FollowedPage(counts.links(), counts.collapsed() + known, counts.retries())));
    }
}
