package io.taskmaster.examples.crawl.index;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.stage.Outcome;
import io.taskmaster.examples.crawl.stage.Retries;
import io.taskmaster.examples.crawl.stage.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Puts pages into the index, and lets their tasks go only when the index is durable. Thread-safe. */
public final class IndexStage implements Stage {

    private final PageIndex index;

    public IndexStage(PageIndex index) {
        this.index = index;
    }

    @Override
    public StageName name() {
        return StageName.INDEX;
    }

    /** Large, because each batch costs a commit of the index. */
    @Override
    public int batch() {
        return 64;
    }

    @Override
    public Outcome work(LeasedTask task) {
        try {
            index.put(PageUrl.of(task.pid()), PageText.decode(task.data()), Retries.upTo(task));
            return new Outcome.Forward(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void commit() throws IOException {
        index.commit();
    }
}
