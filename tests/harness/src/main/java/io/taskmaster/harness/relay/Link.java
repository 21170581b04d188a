package io.taskmaster.harness.relay;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A connection of a client to the relay, and the relay's connection to the server on its behalf. Thread-safe.
 *
 * <p>Four threads move the bytes: a reader and a writer in each direction.
 *
 * <pre>{@code
 * state | event                                | next state | effect
 * ------+--------------------------------------+------------+--------------------------------------------------
 * open  | one direction ends                   | open       | the other end sees the end of that direction
 * open  | all four threads are done            | ended      | both sockets are closed regularly
 * open  | cut(), or a thread fails             | ended      | both ends get a reset; bytes in flight are lost
 * }</pre>
 */
final class Link {

    private final Socket client;
    private final Socket server;
    private final Consumer<Link> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger busy;
    private final List<Thread> threads;

    /** @param onEnd called once, at its end */
    Link(Socket client, Socket server, LinkConditions linkConditions, Consumer<Link> onEnd) {
        this.client = client;
        this.server = server;
        this.onEnd = onEnd;
        Pipe requests = new Pipe(ByteFlow.REQUESTS, client, server, linkConditions);
        Pipe replies = new Pipe(ByteFlow.REPLIES, server, client, linkConditions);
        threads = Stream.<Work>of(requests::read, requests::write, replies::read, replies::write)
                .map(work -> Thread.ofVirtual().name("relay").unstarted(() -> run(work)))
                .toList();
        busy = new AtomicInteger(threads.size());
    }

    /** The work of one of the threads. */
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

    /** Breaks it: both ends get a reset, and bytes in flight are lost. Idempotent. */
    void cut() {
        end(true);
    }

    private void end(boolean withReset) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        close(client, withReset);
        close(server, withReset);
        threads.forEach(Thread::interrupt);
        onEnd.accept(this);
    }

    /**
     * Closes a connection. If rudely, the other end gets a reset: it learns of it at once, and cannot take it for a
     * regular end.
     */
    static void close(Socket socket, boolean withReset) {
        try (socket) {
            if (withReset) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException closed) {
            // It is closed already, by the other end or by the relay.
        }
    }
}
