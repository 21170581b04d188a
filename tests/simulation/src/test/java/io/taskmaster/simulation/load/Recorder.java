package io.taskmaster.simulation.load;

import com.google.protobuf.Message;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recorder of the requests of clients and their outcomes, for the oracle. Single-threaded: owned by the simulation.
 */
public final class Recorder {

    /** A call, with its outcome once that is known. */
    private static final class Entry {

        private final String client;
        private final long invokedMicros;
        private final Message request;
        private Optional<RecordedOutcome> outcome = Optional.empty();
        private long completedMicros = RecordedCall.NEVER;

        private Entry(String client, long invokedMicros, Message request) {
            this.client = client;
            this.invokedMicros = invokedMicros;
            this.request = request;
        }
    }

    private final World world;
    private final List<Entry> entries = new ArrayList<>();
    private int completed;

    public Recorder(World world) {
        this.world = world;
    }

    /**
     * Records that a client sends a request.
     *
     * @return the number of the call, from 1
     */
    public int invoked(String client, Message request) {
        entries.add(new Entry(client, world.microsSinceTheEpoch(), request));
        return entries.size();
    }

    public void completed(int number, RecordedOutcome recordedOutcome) {
        Entry entry = entries.get(number - 1);
        entry.outcome = Optional.of(recordedOutcome);
        entry.completedMicros = world.microsSinceTheEpoch();
        completed++;
    }

    public int size() {
        return entries.size();
    }

    /** The number of calls without an outcome. */
    int open() {
        return entries.size() - completed;
    }

    public History history() {
        List<RecordedCall> calls = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            calls.add(new RecordedCall(
                    i + 1,
                    entry.client,
                    entry.invokedMicros,
                    entry.completedMicros,
                    entry.request,
                    entry.outcome.orElse(RecordedOutcome.IN_FLIGHT)));
        }
        return new History(calls);
    }
}
