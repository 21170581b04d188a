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

/** The queues from which the stages of a pipeline lease, as the server has them. Thread-safe. */
final class QueuesAtServer {

    private final Map<String, DescribeRequest> requests = new LinkedHashMap<>();
    private final Function<DescribeRequest, CompletableFuture<DescribeResult>> server;

    QueuesAtServer(Pipeline pipeline, Function<DescribeRequest, CompletableFuture<DescribeResult>> server) {
        for (Stage<?> stage : pipeline.stages()) {
            // The total is over all queues of a family, however few are shown.
            requests.put(
                    stage.name(),
                    DescribeRequest.of(stage.input().selector(pipeline.group())).maxQueues(1));
        }
        this.server = server;
    }

    /** How many tasks each stage has there, by its name and their state. Fails if a part of them cannot be seen. */
    CompletableFuture<Map<String, Long>> lengths() {
        Map<String, CompletableFuture<DescribeResult>> calls = new LinkedHashMap<>();
        requests.forEach((stage, request) -> calls.put(stage, server.apply(request)));
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
                .thenApply(_ -> {
                    Map<String, Long> lengths = new HashMap<>();
                    calls.forEach((stage, call) -> put(lengths, stage, call.join()));
                    return lengths;
                });
    }

    private static void put(Map<String, Long> lengths, String stage, DescribeResult seen) {
        if (!seen.unreachableNodes().isEmpty()) {
            throw new IllegalStateException(
                    "nodes: %s unreachable (expected: none)".formatted(seen.unreachableNodes()));
        }
        QueueSummary sizes = seen.total().summary();
        lengths.put(stage + " available", sizes.available());
        lengths.put(stage + " leased", sizes.leased());
        lengths.put(stage + " delayed", sizes.delayed());
    }
}
