package io.taskmaster.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.json.RandomMessages;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random requests from a seed: each is mapped, or refused as the caller's fault; nothing else ever comes out. */
final class RequestFuzzTest {

    private static final int SEEDS = 20_000;

    private static final List<Message> REQUESTS = List.of(
            UpdateRequest.getDefaultInstance(),
            LeaseRequest.getDefaultInstance(),
            ListRequest.getDefaultInstance(),
            DescribeRequest.getDefaultInstance(),
            PeekRequest.getDefaultInstance(),
            DeleteRequest.getDefaultInstance());

    @Test
    void randomRequestsAreMappedOrRefusedAsTheCallersFault() {
        Map<Advice, Integer> refusals = new EnumMap<>(Advice.class);
        int mapped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            Message prototype = REQUESTS.get(random.nextInt(REQUESTS.size()));
            Message request = RandomMessages.wild(random).like(prototype);
            try {
                assertThat(Requests.map(request)).isNotNull();
                mapped++;
            } catch (TaskMasterException e) {
                refusals.merge(e.code().advice(), 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + request, e);
            }
        }
        assertThat(mapped).as("requests that were mapped").isGreaterThan(SEEDS / 20);
        assertThat(refusals).containsOnlyKeys(Advice.CALLER_FAULT);
    }
}
