package io.taskmaster.testkit.relay;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A connection of a client, and ours to the server in its name: both hang up when either does. Thread-safe. */
final class Link {

    private final Socket client;
    private final Socket server;
    private final Consumer<Link> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger busy;
    private final List<Thread> threads;

    /**
     * @param onEnd hears of its end, once
     */
    Link(Socket client, Socket server, Weather weather, Consumer<Link> onEnd) {
        this.client = client;
        this.server = server;
        this.onEnd = onEnd;
        Pipe requests = new Pipe(Flow.REQUESTS, client, server, weather);
        Pipe replies = new Pipe(Flow.REPLIES, server, client, weather);
        threads = Stream.<Work>of(requests::read, requests::write, replies::read, replies::write)
                .map(work -> Thread.ofVirtual().name("relay").unstarted(() -> run(work)))
                .toList();
        busy = new AtomicInteger(threads.size());
    }

    /** What one of the threads does. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (IOException | InterruptedException broken) {
            cut();
        }
        if (busy.decrementAndGet() == 0) {
            end(false);
        }
    }

    /** Breaks it: both ends get a reset, and what was on its way is lost. Idempotent. */
    void cut() {
        end(true);
    }

    private void end(boolean rudely) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        close(client, rudely);
        close(server, rudely);
        threads.forEach(Thread::interrupt);
        onEnd.accept(this);
    }

    /** Closes a connection; rudely: the other end gets a reset, so it learns of it at once and cannot take it for a regular end. */
    static void close(Socket socket, boolean rudely) {
        try (socket) {
            if (rudely) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            // It is closed already, by the other end or by us.
        }
    }
}
