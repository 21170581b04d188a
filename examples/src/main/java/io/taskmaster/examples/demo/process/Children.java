package io.taskmaster.examples.demo.process;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All child processes of a run. Thread-safe. */
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
     * @throws DemoException if one of them cannot be kept alive
     */
    public void check() {
        for (ChildProcess child : all) {
            child.failure().ifPresent(why -> {
                throw new DemoException(why);
            });
        }
    }

    /** How often any of them had to be started again. */
    public int restarts() {
        return all.stream().mapToInt(ChildProcess::restarts).sum();
    }

    /** Ends the last started first: the workers, then the server. Idempotent; blocks. */
    @Override
    public void close() {
        List<ChildProcess> lastFirst = List.copyOf(all).reversed();
        // All workers end at the same time; the server, started first, when they are gone.
        lastFirst.stream().limit(Math.max(0, lastFirst.size() - 1)).forEach(ChildProcess::stop);
        lastFirst.forEach(ChildProcess::close);
    }
}
