package io.taskmaster.server.engine.state;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.format.AtomCodec;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The log of an {@link EngineSimulation}: its atoms, encoded, by ticket. Single-threaded. */
final class SimulatedLog {

    private final AtomCodec codec = new AtomCodec();
    private final TreeMap<Long, Bytes> atoms = new TreeMap<>();
    private long checkpoint;
    private long durable;

    void append(ApplyAtom atom) {
        atoms.put(atom.ticket(), Bytes.wrap(codec.encode(atom)));
    }

    /** Notes that the rows contain all atoms up to a ticket. */
    void checkpoint(long ticket) {
        checkpoint = ticket;
    }

    /** Notes that the log is durable up to a ticket: rows were written from it, or an owner began with it. */
    void durable(long ticket) {
        durable = ticket;
    }

    /** The ticket up to which the log is known to be durable. */
    long durable() {
        return durable;
    }

    /** Returns all atoms up to a ticket. */
    Stream<ApplyAtom> all(long cut) {
        return decoded(atoms.headMap(cut, true));
    }

    /** Returns the atoms up to a ticket that the rows do not contain. */
    Stream<ApplyAtom> behindCheckpoint(long cut) {
        return decoded(atoms.subMap(checkpoint, false, cut, true));
    }

    private static Stream<ApplyAtom> decoded(NavigableMap<Long, Bytes> some) {
        return some.entrySet().stream().map(SimulatedLog::decoded);
    }

    private static ApplyAtom decoded(Map.Entry<Long, Bytes> atom) {
        return AtomCodec.decode(atom.getKey(), atom.getValue());
    }
}
