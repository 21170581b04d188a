package io.taskmaster.harness.fault;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A kind of fault, by the part of a system that it strikes. */
public enum FaultKind {
    KILL(Part.SERVER, "the server is killed with SIGKILL, and started again"),
    STOP(Part.SERVER, "the server is frozen with SIGSTOP, and goes on"),
    RESTART(Part.SERVER, "the server is ended in good order with SIGTERM, and started again"),
    DISCONNECT(Part.NETWORK, "all connections break, and none can be made"),
    STALL(Part.NETWORK, "connections stay, and nothing goes over them: requests, replies, or both"),
    SLOW(Part.NETWORK, "everything on the network takes longer"),
    KILL_WORKER(Part.WORKERS, "a worker is killed with SIGKILL, and started again"),
    STOP_WORKER(Part.WORKERS, "a worker is frozen with SIGSTOP, and goes on"),
    KILL_REGION_SERVER(Part.STORE, "a region server of the store is killed with SIGKILL, and started again"),
    STOP_REGION_SERVER(Part.STORE, "a region server of the store is frozen with SIGSTOP, and goes on"),
    KILL_DATA_NODE(Part.STORE, "a data node of the store is killed with SIGKILL, and started again"),
    STOP_DATA_NODE(Part.STORE, "a data node of the store is frozen with SIGSTOP, and goes on"),
    DISK(Part.MACHINE, "the server's disk fails: a sync, or all that writes for a while"),
    DESCRIPTORS(Part.MACHINE, "there is no file descriptor for the next file of the store"),
    CLOCK(
            Part.MACHINE,
            "the wall clock of the server's machine is set ahead or back by seconds to hours, and set right again");

    /** A part of a system. Each has one fault at a time; faults of different parts may overlap. */
    public enum Part {
        SERVER,
        NETWORK,
        WORKERS,
        /** The store, if it has processes of its own. */
        STORE,
        /**
         * The machine under the server. Its faults alternate with those of the server: a server need not start on a
         * disk that fails, nor by a clock that is wrong.
         */
        MACHINE;

        /** Returns the part with whose faults those of this part alternate. */
        Part alternatingPart() {
            return this == MACHINE ? SERVER : this;
        }
    }

    private final Part part;
    private final String meaning;

    FaultKind(Part part, String meaning) {
        this.part = part;
        this.meaning = meaning;
    }

    public Part part() {
        return part;
    }

    /** Returns all kinds of faults of these parts. */
    public static Set<FaultKind> ofParts(Part... parts) {
        return Arrays.stream(values())
                .filter(kind -> Arrays.asList(parts).contains(kind.part))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the fault in words. */
    public String meaning() {
        return meaning;
    }

    /** Returns its name in scripts and on command lines: {@code kill-worker}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the kind with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static FaultKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("fault: %s (expected: one of %s)"
                        .formatted(
                                word,
                                Arrays.stream(values()).map(FaultKind::word).collect(Collectors.joining(", ")))));
    }
}
