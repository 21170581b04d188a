package io.taskmaster.server.process;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * A client of a node in the same process, without RPC. It retries when the node says that it is overloaded.
 * Thread-safe.
 */
final class DirectClient {

    private static final long DEADLINE_SECONDS = 60;
    private static final int IN_FLIGHT = 4;
    private static final int MAX_BYTES = 32 << 20;

    private final Node node;

    DirectClient(Node node) {
        this.node = node;
    }

    /** Enqueues tasks {@code from} to {@code to - 1} in batches, a few of them in flight. Blocks. */
    void enqueue(QueueKey queue, long from, long to, int batch, LongFunction<Pid> pids, int dataBytes) {
        enqueue(queue, from, to, batch, pids, dataBytes, 0);
    }

    /**
     * Enqueues tasks as above.
     *
     * @param notBeforeMillis the not-before time; 0: at once
     */
    void enqueue(
            QueueKey queue,
            long from,
            long to,
            int batch,
            LongFunction<Pid> pids,
            int dataBytes,
            long notBeforeMillis) {
        List<CompletableFuture<Reply>> inFlight = new ArrayList<>();
        for (long start = from; start < to; start += batch) {
            List<Command.Enqueue> tasks = new ArrayList<>(batch);
            for (long i = start; i < Math.min(to, start + batch); i++) {
                tasks.add(new Command.Enqueue(
                        queue.name(),
                        Optional.of(pids.apply(i)),
                        new Command.Payload(incompressible(dataBytes), Map.of()),
                        Command.IfExists.COLLAPSE,
                        notBeforeMillis));
            }
            inFlight.add(submit(queue, new Command.Update(queue.group(), tasks, List.of(), List.of(), List.of())));
            if (inFlight.size() == IN_FLIGHT) {
                requireSuccess(await(inFlight.removeFirst()));
            }
        }
        inFlight.forEach(future -> requireSuccess(await(future)));
    }

    List<Reply.LeasedTask> lease(QueueKey queue, int maxTasks, Duration length) {
        Command.Lease lease = new Command.Lease(
                Command.Selector.of(queue),
                maxTasks,
                MAX_BYTES,
                length.toMillis(),
                Optional.empty(),
                0,
                0,
                "worker",
                "in process");
        return ((Reply.Leased) await(submit(queue, lease))).tasks();
    }

    void dequeue(QueueKey queue, List<Reply.LeasedTask> tasks) {
        List<Command.Dequeue> dequeues = tasks.stream()
                .map(task -> new Command.Dequeue(queue.name(), task.pid(), task.leaseId()))
                .toList();
        requireSuccess(
                await(submit(queue, new Command.Update(queue.group(), List.of(), dequeues, List.of(), List.of()))));
    }

    /** Returns data that a store cannot compress. */
    static Bytes incompressible(int size) {
        byte[] data = new byte[size];
        ThreadLocalRandom.current().nextBytes(data);
        return Bytes.wrap(data);
    }

    private CompletableFuture<Reply> submit(QueueKey queue, Command command) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        submit(queue, command, reply);
        return reply;
    }

    private void submit(QueueKey queue, Command command, CompletableFuture<Reply> answer) {
        node.submit(queue.group(), command, new ReplySink() {
            @Override
            public void reply(Reply reply) {
                answer.complete(reply);
            }

            @Override
            public void fail(TaskMasterException error) {
                if (error.code().advice() == Advice.RETRY_LATER && !answer.isDone()) {
                    long delay =
                            error.retryAfter().orElse(Duration.ofMillis(20)).toMillis();
                    CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS)
                            .execute(() -> submit(queue, command, answer));
                } else {
                    answer.completeExceptionally(error);
                }
            }
        });
    }

    private static Reply await(CompletableFuture<Reply> reply) {
        return reply.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    }

    private static void requireSuccess(Reply reply) {
        if (!(reply instanceof Reply.Updated updated && updated.success())) {
            throw new AssertionError("refused: " + reply);
        }
    }
}
