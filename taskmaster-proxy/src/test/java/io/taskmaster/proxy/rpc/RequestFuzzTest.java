package io.taskmaster.proxy.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.json.RandomMessages;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
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
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Fuzz test of requests from a seed: each request, and each operation of a batch, is mapped, or refused as the caller's
 * fault; there is no other outcome.
 */
final class RequestFuzzTest {

    private static final int SEEDS = 20_000;

    private static final List<Message> REQUESTS = List.of(
            UpdateRequest.getDefaultInstance(),
            LeaseRequest.getDefaultInstance(),
            ListRequest.getDefaultInstance(),
            DescribeRequest.getDefaultInstance(),
            PeekRequest.getDefaultInstance(),
            DeleteRequest.getDefaultInstance(),
            BatchRequest.getDefaultInstance(),
            ConfigureRequest.getDefaultInstance());

    private final Map<Advice, Integer> refusals = new EnumMap<>(Advice.class);
    private final Map<String, Integer> mapped = new TreeMap<>();

    @Test
    void randomRequestsAreMappedOrRefusedAsTheCallersFault() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            Message prototype = REQUESTS.get(random.nextInt(REQUESTS.size()));
            Message request = RandomMessages.wild(random).like(prototype);
            try {
                tryOne(request);
            } catch (TaskMasterException e) {
                refused(e.code());
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + request, e);
            }
        }
        assertThat(refusals).containsOnlyKeys(Advice.CALLER_FAULT);
        assertThat(mapped.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        REQUESTS.stream().map(RequestFuzzTest::kind).toList());
        assertThat(mapped.values()).as("%s", mapped).allMatch(times -> times > SEEDS / 1000);
    }

    private void tryOne(Message request) {
        if (request instanceof BatchRequest batch) {
            BatchReply reply = Requests.answer(batch);
            assertThat(reply.getResultsCount()).isEqualTo(batch.getOperationsCount());
            for (BatchReply.Result result : reply.getResultsList()) {
                if (result.hasError()) {
                    refused(ErrorCode.valueOf(result.getError().getReason()));
                } else {
                    mapped.merge(kind(request), 1, Integer::sum);
                }
            }
        } else {
            assertThat(Requests.map(request)).isNotNull();
            mapped.merge(kind(request), 1, Integer::sum);
        }
    }

    private void refused(ErrorCode code) {
        refusals.merge(code.advice(), 1, Integer::sum);
    }

    private static String kind(Message request) {
        return request.getDescriptorForType().getName();
    }
}
