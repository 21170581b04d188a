package io.taskmaster.bench.workload.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.QueueSummary;
import org.junit.jupiter.api.Test;

class PositionTest {

    private final Population population = new Population(ByteString.copyFromUtf8("group"), 1_003, 3);
    private final Position last = new Position("token", 1_000);

    @Test
    void aWalkCountsWhatItHasSeen() {
        Position next =
                Position.START.after(page("q-1", "q-2").setNextPageToken("q-2").build());

        assertThat(next).isEqualTo(new Position("q-2", 2));
    }

    @Test
    void theRestInOrderIsRight() {
        assertThat(last.fault(population, page("q-1", "q-10", "q-2").build())).isEmpty();
    }

    @Test
    void aPageOutOfOrderIsCaught() {
        assertThat(last.fault(population, page("q-1", "q-2", "q-10").build()))
                .contains("check: a page is not in order");
        assertThat(last.fault(population, page("q-1", "q-1", "q-2").build())).contains("check: a page is not in order");
    }

    @Test
    void aQueueWithAnotherSizeIsCaught() {
        ListReply page = page("q-1", "q-2")
                .addQueues(QueueSummary.newBuilder()
                        .setName(population.name(3))
                        .setAvailable(1)
                        .setLeased(1))
                .build();
        assertThat(last.fault(population, page))
                .hasValueSatisfying(fault -> assertThat(fault).contains("more or fewer tasks"));
    }

    @Test
    void aWalkThatEndsTooSoonIsCaught() {
        assertThat(last.fault(population, page("q-1").build()))
                .hasValueSatisfying(fault -> assertThat(fault).contains("missing in a listing"));
        assertThat(Position.START.fault(
                        population, page("q-1").setNextPageToken("q-1").build()))
                .hasValueSatisfying(fault -> assertThat(fault).contains("missing in a listing"));
    }

    private static ListReply.Builder page(String... names) {
        ListReply.Builder page = ListReply.newBuilder();
        for (String name : names) {
            page.addQueues(QueueSummary.newBuilder()
                    .setName(ByteString.copyFromUtf8(name))
                    .setAvailable(2)
                    .setLeased(1));
        }
        return page;
    }
}
