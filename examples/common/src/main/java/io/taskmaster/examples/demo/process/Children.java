package io.taskmaster.examples.demo.process;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The child processes of a run. Thread-safe. */
public final class Children implements AutoCloseable {

    private final List<ChildProcess> all = new CopyOnWriteArrayList<>();
    private final DemoFolder folder;

    public Children(DemoFolder folder) {
        this.folder = folder;
    }

    public void start(String name, List<String> command) {
        all.add(ChildProcess.start(name, command, folder));
    }

    /**
     * Checks that all of them are alive or being restarted.
     *
     * @throws DemoException if one of them cannot be kept alive
     */
    public void check() {
        for (ChildProcess child : all) {
            child.failure().ifPresent(why -> {
                throw new DemoException(why);
            });
        }
    }

    /** The number of restarts of all of them. */
    public int restarts() {
        return all.stream().mapToInt(ChildProcess::restarts).sum();
    }

    /** Ends the processes, the last started first: the workers, then the server. Idempotent. Blocks. */
    @Override
    public void close() {
        List<ChildProcess> lastFirst = List.copyOf(all).reversed();
        // All workers end at the same time; the server, which was started first, ends after them.
        lastFirst.stream().limit(Math.max(0, lastFirst.size() - 1)).forEach(ChildProcess::stop);
        lastFirst.forEach(ChildProcess::close);
    }
}
