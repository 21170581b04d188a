package io.taskmaster.stage.worker.task;

import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The part of {@link TaskMasterClient} that a worker needs, with the same contracts. Thread-safe. */
public interface TaskService {

    /** Leases tasks, as {@link TaskMasterClient#lease}. */
    CompletableFuture<List<LeasedTask>> lease(LeaseRequest request);

    /** Sends updates, as {@link TaskMasterClient#batch}. */
    CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations);

    /** Creates a keeper of leases, as {@link TaskMasterClient#keepLeases}. */
    LeaseKeeper keepLeases(Duration length);

    /** Returns the service of a client. */
    static TaskService of(TaskMasterClient client) {
        return new TaskService() {
            @Override
            public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
                return client.lease(request);
            }

            @Override
            public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
                return client.batch(operations);
            }

            @Override
            public LeaseKeeper keepLeases(Duration length) {
                return client.keepLeases(length);
            }
        };
    }
}
