package io.taskmaster.stage.metrics;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.DescribeResult;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A reader of the lengths, at the server, of the queues from which the stages of a pipeline lease. Thread-safe. */
final class QueuesAtServer {

    private final Map<String, DescribeRequest> requests = new LinkedHashMap<>();
    private final Function<DescribeRequest, CompletableFuture<DescribeResult>> server;

    QueuesAtServer(Pipeline pipeline, Function<DescribeRequest, CompletableFuture<DescribeResult>> server) {
        for (Stage<?> stage : pipeline.stages()) {
            // The total covers all queues of a family, however few are listed.
            requests.put(
                    stage.name(),
                    DescribeRequest.of(stage.input().selector(pipeline.group())).maxQueues(1));
        }
        this.server = server;
    }

    /**
     * Requests the number of tasks of each stage, by its name and their state. The future fails if some nodes are
     * unreachable.
     */
    CompletableFuture<Map<String, Long>> lengths() {
        Map<String, CompletableFuture<DescribeResult>> calls = new LinkedHashMap<>();
        requests.forEach((stage, request) -> calls.put(stage, server.apply(request)));
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
                .thenApply(allDone -> {
                    Map<String, Long> lengths = new HashMap<>();
                    calls.forEach((stage, call) -> put(lengths, stage, call.join()));
                    return lengths;
                });
    }

    private static void put(Map<String, Long> lengths, String stage, DescribeResult result) {
        if (!result.unreachableNodes().isEmpty()) {
            throw new IllegalStateException(
                    "nodes: %s unreachable (expected: none)".formatted(result.unreachableNodes()));
        }
        QueueSummary sizes = result.total().summary();
        lengths.put(stage + " available", sizes.available());
        lengths.put(stage + " leased", sizes.leased());
        lengths.put(stage + " delayed", sizes.delayed());
    }
}
