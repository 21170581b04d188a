package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Makes the links of a page canonical and leads those to unknown pages of the site back to fetch. Thread-safe. */
public final class LinkStage implements Stage {

    private final Site site;

    public LinkStage(Site site) {
        this.site = site;
    }

    @Override
    public StageName name() {
        return StageName.LINKS;
    }

    @Override
    public int batch() {
        return 16;
    }

    @Override
    public Outcome work(LeasedTask task) {
        PageLinks links = PageLinks.decode(task.data());
        Set<PageUrl> pages = new LinkedHashSet<>();
        int ours = 0;
        for (String href : links.hrefs()) {
            PageUrl target = site.resolve(links.base(), href).orElse(null);
            if (target != null) {
                ours++;
                pages.add(target);
            }
        }
        List<PageUrl> proposed = new ArrayList<>(pages);
        return new Discovery(
                PageUrl.of(task.pid()),
                proposed,
                new FollowedPage(links.hrefs().size(), ours - proposed.size(), Retries.at(task)));
    }
}
