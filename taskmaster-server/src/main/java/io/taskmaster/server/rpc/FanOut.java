package io.taskmaster.server.rpc;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.Node.ReplySink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command for all partitions, and one answer: the replies merged when the last has come, or the error that says most, but not
 * before every partition has answered. Thread-safe.
 */
final class FanOut<R extends Reply> {

    private final Class<R> type;
    private final Function<List<R>, Reply> merge;
    private final Aside aside;
    private final ReplySink sink;
    private final AtomicReferenceArray<@Nullable Reply> replies;
    private final AtomicInteger missing;
    private final AtomicReference<@Nullable TaskMasterException> error = new AtomicReference<>();

    private FanOut(int partitions, Class<R> type, Function<List<R>, Reply> merge, Aside aside, ReplySink sink) {
        this.type = type;
        this.merge = merge;
        this.aside = aside;
        this.sink = sink;
        this.replies = new AtomicReferenceArray<>(partitions);
        this.missing = new AtomicInteger(partitions);
    }

    static <R extends Reply> void submit(
            Node node, Command command, Class<R> type, Function<List<R>, Reply> merge, Aside aside, ReplySink sink) {
        int partitions = node.partitions();
        var fanOut = new FanOut<>(partitions, type, merge, aside, sink);
        for (int partition = 0; partition < partitions; partition++) {
            node.submit(partition, command, fanOut.new Branch(partition));
        }
    }

    private void complete() {
        if (missing.decrementAndGet() > 0) {
            return;
        }
        var all = new ArrayList<R>(replies.length());
        for (int i = 0; i < replies.length(); i++) {
            Reply reply = replies.get(i);
            if (reply != null) {
                all.add(type.cast(reply));
            }
        }
        TaskMasterException failed = error.get();
        if (failed == null) {
            // There may be thousands of queues in them, of many partitions.
            aside.run(() -> sink.reply(merge.apply(all)), sink::fail);
        } else if (type == Reply.Deleted.class && !all.isEmpty()) {
            // Some partitions did their part: "nothing was done, send it again" would not be true any more.
            sink.fail(new TaskMasterException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "deleted in a part of the groups only: " + failed.getMessage(),
                    null,
                    failed));
        } else {
            sink.fail(failed);
        }
    }

    /** Where one partition answers. */
    private final class Branch implements ReplySink {

        private final int partition;

        Branch(int partition) {
            this.partition = partition;
        }

        @Override
        public void reply(Reply reply) {
            replies.set(partition, reply);
            complete();
        }

        @Override
        public void fail(TaskMasterException failed) {
            error.accumulateAndGet(failed, Merge::failed);
            complete();
        }

        @Override
        public String caller() {
            return sink.caller();
        }

        @Override
        public boolean isCancelled() {
            return sink.isCancelled();
        }
    }
}
