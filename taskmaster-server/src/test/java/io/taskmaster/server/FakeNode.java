package io.taskmaster.server;

import io.taskmaster.proxy.route.FakeRouter;
import io.taskmaster.server.partition.Node;

/** A node without an engine. Thread-safe. */
public final class FakeNode extends FakeRouter implements Node {

    public FakeNode(int partitions) {
        super(partitions);
    }

    @Override
    public void close() {
        shutDown();
    }

    @Override
    public void abandon() {
        shutDown();
    }
}
