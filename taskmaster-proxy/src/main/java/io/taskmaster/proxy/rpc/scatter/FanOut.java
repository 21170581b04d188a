package io.taskmaster.proxy.rpc.scatter;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command to all partitions, with one answer: the merged replies, or the most serious error
 * ({@link ReplyMerger#failed}). It answers only after every partition has. Thread-safe.
 */
public final class FanOut<R extends Reply> {

    private final Class<R> type;
    private final Function<List<R>, Reply> merge;
    private final OffloadExecutor offloadExecutor;
    private final ReplySink sink;
    private final AtomicReferenceArray<@Nullable Reply> replies;
    private final AtomicInteger missing;
    private final AtomicReference<@Nullable TaskMasterException> error = new AtomicReference<>();

    private FanOut(
            int partitions,
            Class<R> type,
            Function<List<R>, Reply> merge,
            OffloadExecutor offloadExecutor,
            ReplySink sink) {
        this.type = type;
        this.merge = merge;
        this.offloadExecutor = offloadExecutor;
        this.sink = sink;
        this.replies = new AtomicReferenceArray<>(partitions);
        this.missing = new AtomicInteger(partitions);
    }

    public static <R extends Reply> void submit(
            Router router,
            Command command,
            Class<R> type,
            Function<List<R>, Reply> merge,
            OffloadExecutor offloadExecutor,
            ReplySink sink) {
        int partitions = router.partitions();
        var fanOut = new FanOut<>(partitions, type, merge, offloadExecutor, sink);
        for (int partition = 0; partition < partitions; partition++) {
            router.submit(partition, command, fanOut.new Branch(partition));
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
            // The replies of many partitions may have thousands of queues, so they are merged off the loops.
            offloadExecutor.run(() -> sink.reply(merge.apply(all)), sink::fail);
        } else if (type == Reply.Deleted.class && !all.isEmpty()) {
            // Some partitions deleted their part, so an error that says that nothing was done would not be true.
            sink.fail(new TaskMasterException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "deleted in some of the groups only: " + failed.getMessage(),
                    null,
                    failed));
        } else {
            sink.fail(failed);
        }
    }

    /** The receiver of one partition's reply. */
    private final class Branch implements ReplySink {

        private final int partition;

        Branch(int partition) {
            this.partition = partition;
        }

        @Override
        public void reply(Reply reply) {
            // The reply is stored before it is counted, so the branch that counts the last one finds them all.
            replies.set(partition, reply);
            complete();
        }

        @Override
        public void fail(TaskMasterException failed) {
            error.accumulateAndGet(failed, ReplyMerger::failed);
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
