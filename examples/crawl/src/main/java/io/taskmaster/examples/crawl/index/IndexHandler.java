package io.taskmaster.examples.crawl.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.stage.Retries;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The handler that adds pages to the index, and finishes their tasks once the index is durable: in batches, because
 * each commit of the index is expensive. It opens the index with the first batch, and again after a failure.
 * Thread-safe.
 */
public final class IndexHandler implements BatchHandler<PageText>, AutoCloseable {

    private final Path folder;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable PageIndex index;

    public IndexHandler(Path folder) {
        this.folder = folder;
    }

    @Override
    public void handle(List<Task<PageText>> tasks, Finish<PageText> finish) throws IOException {
        PageIndex pages = open();
        try {
            for (Task<PageText> task : tasks) {
                pages.put(PageUrl.of(task.pid()), task.payload(), Retries.upTo(task));
            }
            pages.commit();
        } catch (IOException | RuntimeException broken) {
            // A writer that failed once fails forever.
            close();
            throw broken;
        }
        tasks.forEach(task -> finish.with(task, Outcome.done()));
    }

    private PageIndex open() throws IOException {
        lock.lock();
        try {
            if (index == null) {
                index = PageIndex.open(folder);
            }
            return index;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (index != null) {
                PageIndex open = index;
                index = null;
                open.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
