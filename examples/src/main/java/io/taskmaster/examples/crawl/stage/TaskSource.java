package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import java.util.List;

/** The part of a client that a stage needs. Thread-safe; blocks; fails as {@link BlockingClient} does. */
public interface TaskSource {

    List<LeasedTask> lease(LeaseRequest request);

    UpdateResult update(Update update);

    static TaskSource of(BlockingClient client) {
        return new TaskSource() {
            @Override
            public List<LeasedTask> lease(LeaseRequest request) {
                return client.lease(request);
            }

            @Override
            public UpdateResult update(Update update) {
                return client.update(update);
            }
        };
    }
}
