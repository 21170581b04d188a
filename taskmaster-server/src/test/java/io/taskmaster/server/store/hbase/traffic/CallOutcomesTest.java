package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CallOutcomesTest {

    private final StoreException refusal = new StoreException(Outcome.REFUSED, "no", null);
    private final StoreException mystery = new StoreException(Outcome.UNKNOWN, "who knows", null);

    @Test
    void allWaitForTheLast() {
        CompletableFuture<Void> last = new CompletableFuture<>();
        CompletableFuture<Void> all = CallOutcomes.all(List.of(done(), last, CompletableFuture.failedFuture(refusal)));
        assertThat(all).isNotDone();

        last.complete(null);
        assertThat(all.exceptionNow()).isSameAs(refusal);
    }

    @Test
    void nobodyKnowingIsWorseThanNo() {
        CompletableFuture<Void> refused = CompletableFuture.failedFuture(refusal);
        CompletableFuture<Void> unknown = CompletableFuture.failedFuture(mystery);

        assertThat(CallOutcomes.all(List.of(refused, unknown, done())).exceptionNow())
                .isSameAs(mystery);
        assertThat(CallOutcomes.all(List.of(unknown, refused)).exceptionNow()).isSameAs(mystery);
    }

    @Test
    void nothingIsDone() {
        assertThat(CallOutcomes.all(List.of())).isCompleted();
    }

    @Test
    void valuesComeInTheirOrder() {
        CompletableFuture<String> late = new CompletableFuture<>();
        CompletableFuture<List<String>> values =
                CallOutcomes.values(List.of(late, CompletableFuture.completedFuture("second")));
        late.complete("first");

        assertThat(values).isCompletedWithValue(List.of("first", "second"));
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }
}
