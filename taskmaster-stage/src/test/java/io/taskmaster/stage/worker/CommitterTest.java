package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.worker.task.TaskService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CommitterTest {

    private static final UpdateResult DONE =
            new UpdateResult(true, List.of(), List.of(), List.of(), List.of(), List.of());
    private final TaskMasterException tooLarge =
            new TaskMasterException(ErrorCode.BATCH_TOO_LARGE, "too large", null, null);

    private final List<List<BatchOperation>> sent = new ArrayList<>();
    private final List<CompletableFuture<List<BatchResult>>> replies = new ArrayList<>();
    private Function<List<BatchOperation>, CompletableFuture<List<BatchResult>>> server = _ -> {
        CompletableFuture<List<BatchResult>> reply = new CompletableFuture<>();
        replies.add(reply);
        return reply;
    };
    private final Committer committer = new Committer(new TaskService() {
        @Override
        public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
            sent.add(operations);
            return server.apply(operations);
        }

        @Override
        public LeaseKeeper keepLeases(Duration length) {
            throw new UnsupportedOperationException();
        }
    });

    @Test
    void whatIsAskedWhileCallsAreUnderWayGoesTogetherWithTheNext() {
        commit(50, 10);
        assertThat(sent).extracting(List::size).containsExactly(1, 1);

        replies.getFirst().complete(List.of(new BatchResult.Updated(DONE)));
        assertThat(sent).extracting(List::size).containsExactly(1, 1, 48);
    }

    @Test
    void callsAreBoundedInBytes() {
        commit(10, 1 << 20);
        replies.getFirst().complete(List.of(new BatchResult.Updated(DONE)));
        replies.get(1).complete(List.of(new BatchResult.Updated(DONE)));

        assertThat(sent).extracting(List::size).containsExactly(1, 1, 3, 3);
    }

    @Test
    void callThatIsTooLargeIsTakenApartBeforeAnybodyIsToBlame() {
        server = operations -> operations.size() > 1
                ? CompletableFuture.failedFuture(tooLarge)
                : new CompletableFuture<List<BatchResult>>()
                        .completeOnTimeout(List.of(new BatchResult.Updated(DONE)), 1, TimeUnit.MILLISECONDS);
        List<CompletableFuture<UpdateResult>> all = commit(20, 10);

        assertThat(all).allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(10)));
        assertThat(sent).filteredOn(batch -> batch.size() > 1).isNotEmpty();
    }

    @Test
    void updateThatIsTooLargeByItselfIsToBlame() {
        server = _ -> CompletableFuture.failedFuture(tooLarge);
        assertThat(committer.commit(update("p", 10)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(tooLarge);
    }

    @Test
    void callsThatFailAtOnceDoNotNest() {
        commit(100_000, 0);
        server = _ -> {
            throw new IllegalStateException("closed");
        };
        List.copyOf(replies).forEach(reply -> reply.complete(List.of(new BatchResult.Updated(DONE))));

        // After the batches had failed, each update was sent by itself.
        assertThat(sent.stream().flatMap(batch -> batch.size() == 1 ? Stream.of(batch) : Stream.empty()))
                .hasSize(100_000);
    }

    @CanIgnoreReturnValue
    private List<CompletableFuture<UpdateResult>> commit(int updates, int bytes) {
        return IntStream.range(0, updates)
                .mapToObj(i -> committer.commit(update("p" + i, bytes)))
                .toList();
    }

    private static Update update(String pid, int bytes) {
        return Update.in("g")
                .enqueue(QueueName.of("q"), Pid.of(pid), Bytes.wrap(new byte[bytes]))
                .build();
    }
}
