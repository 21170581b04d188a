package io.taskmaster.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.NodeRef;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Two controllers that publish maps as fast as they can, each over a store that fails in all ways. */
final class MapCellDuel {

    private static final long LENGTH_MILLIS = 30_000;
    private static final long STEP_MILLIS = 100;

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final MapCell observer = new MapCell(memory, new StoreCalls(loop, 1));
    private final List<Long> versions = new ArrayList<>();
    private boolean over;

    MapCellDuel(Random random) {
        for (int i = 0; i < 2; i++) {
            UnsteadyStore store = new UnsteadyStore(memory, loop);
            store.anyFate(random);
            publishAgain(new MapCell(store, new StoreCalls(loop, 3)), new NodeRef("node" + i, i, "host:1"));
        }
        for (long passed = 0; passed < LENGTH_MILLIS; passed += STEP_MILLIS) {
            loop.pass(STEP_MILLIS);
            observe();
        }
        over = true;
        loop.pass(LENGTH_MILLIS);
        observe();
    }

    /** Returns the version in force after every step. */
    List<Long> versions() {
        return versions;
    }

    private void publishAgain(MapCell cell, NodeRef owner) {
        if (over) {
            return;
        }
        var _ = cell.read()
                .thenCompose(before -> cell.publish(
                        before,
                        MapCellTest.map(before.map(PublishedMap::version).orElse(0L) + 1, owner, 1)))
                .whenComplete((_, _) -> loop.schedule(STEP_MILLIS, () -> publishAgain(cell, owner)));
    }

    private void observe() {
        var read = observer.read();
        loop.tick();
        assertThat(read).isDone();
        Optional<PublishedMap> found = read.join();
        found.ifPresent(map -> versions.add(map.version()));
        assertThat(versions.isEmpty()).isEqualTo(found.isEmpty());
    }
}
