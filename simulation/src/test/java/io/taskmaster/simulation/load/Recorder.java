package io.taskmaster.simulation.load;

import com.google.protobuf.Message;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.Outcome;
import io.taskmaster.testkit.history.RecordedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes down what clients ask and are told, as the oracle will read it. Single-threaded. */
public final class Recorder {

    /** A call, and what came of it once that is known. */
    private static final class Entry {

        private final String client;
        private final long invokedMicros;
        private final Message request;
        private Optional<Outcome> outcome = Optional.empty();
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

    /** A client is about to ask. The number of the call, from 1. */
    public int invoked(String client, Message request) {
        entries.add(new Entry(client, world.microsSinceTheEpoch(), request));
        return entries.size();
    }

    public void completed(int number, Outcome outcome) {
        Entry entry = entries.get(number - 1);
        entry.outcome = Optional.of(outcome);
        entry.completedMicros = world.microsSinceTheEpoch();
        completed++;
    }

    public int size() {
        return entries.size();
    }

    /** How many calls have come to no end yet. */
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
                    entry.outcome.orElse(Outcome.IN_FLIGHT)));
        }
        return new History(calls);
    }
}
