package io.taskmaster.harness.fault;

import io.taskmaster.harness.fault.Fault.DiskFailure;
import io.taskmaster.harness.fault.FaultScript.Episode;
import io.taskmaster.harness.relay.ByteFlow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** A generator of the faults of one part, one after the other. Single-threaded. */
final class Drawing {

    private static final DiskFailure[] DISK_FAILURES = DiskFailure.values();
    private static final int MAX_CHOICE = 1 << 16;

    private final SplittableRandom random;
    private final List<FaultKind> kinds;
    private final long lengthMillis;

    /** Kinds that are still to come, in a random order; refilled when it is empty. */
    private final Deque<FaultKind> deck = new ArrayDeque<>();

    Drawing(SplittableRandom random, List<FaultKind> kinds, Duration length) {
        this.random = random;
        this.kinds = kinds;
        this.lengthMillis = length.toMillis();
    }

    List<Episode> draw() {
        List<Episode> episodes = new ArrayList<>();
        if (kinds.isEmpty()) {
            return episodes;
        }
        long begin = between(500, 4_000);
        while (begin < lengthMillis) {
            Fault fault = next();
            long end = Math.min(lengthMillis, begin + lasting(fault));
            episodes.add(new Episode(Duration.ofMillis(begin), Duration.ofMillis(end), fault));
            begin = end + pause(fault.kind().part());
        }
        return episodes;
    }

    private Fault next() {
        if (deck.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, Random.from(random));
            deck.addAll(shuffled);
        }
        return switch (deck.remove()) {
            case KILL -> new Fault.Kill();
            case STOP -> new Fault.Stop();
            case RESTART -> new Fault.Restart();
            case DISCONNECT -> new Fault.Disconnect();
            case STALL -> new Fault.Stall(flows());
            case SLOW -> new Fault.Slow(Duration.ofMillis(between(5, 300)));
            case KILL_WORKER -> new Fault.KillWorker(random.nextInt(MAX_CHOICE));
            case STOP_WORKER -> new Fault.StopWorker(random.nextInt(MAX_CHOICE));
            case KILL_REGION_SERVER -> new Fault.KillRegionServer();
            case STOP_REGION_SERVER -> new Fault.StopRegionServer();
            case KILL_DATA_NODE -> new Fault.KillDataNode();
            case STOP_DATA_NODE -> new Fault.StopDataNode();
            case DISK -> new Fault.Disk(DISK_FAILURES[random.nextInt(DISK_FAILURES.length)]);
            case DESCRIPTORS -> new Fault.Descriptors();
            case CLOCK -> new Fault.Clock(step());
        };
    }

    /**
     * Draws a step from a second to four and a half hours. The order of magnitude is uniform, so that steps of seconds
     * are as frequent as steps of hours.
     */
    private Duration step() {
        long millis = between(1_000, 1_000L << random.nextInt(1, 15));
        return Duration.ofMillis(random.nextBoolean() ? millis : -millis);
    }

    private EnumSet<ByteFlow> flows() {
        return switch (random.nextInt(3)) {
            case 0 -> EnumSet.of(ByteFlow.REQUESTS);
            case 1 -> EnumSet.of(ByteFlow.REPLIES);
            default -> EnumSet.allOf(ByteFlow.class);
        };
    }

    private long lasting(Fault fault) {
        return switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> between(0, 1_000);
            case Fault.KillWorker _ -> between(0, 2_000);
            case Fault.Stop _ -> between(100, 3_000);
            // Now and then longer than most leases: then the tasks have been leased by others when the worker goes on.
            case Fault.StopWorker _ -> between(500, 7_000);
            case Fault.Disconnect _, Fault.Stall _ -> between(100, 3_000);
            case Fault.Slow _ -> between(1_000, 4_000);
            case Fault.KillRegionServer _ -> between(0, 3_000);
            // Now and then longer than its session timeout: then HBase has replaced it.
            case Fault.StopRegionServer _ -> between(500, 9_000);
            case Fault.KillDataNode _, Fault.StopDataNode _ -> between(500, 6_000);
            case Fault.Disk _, Fault.Descriptors _ -> between(200, 4_000);
            // Now and then longer than most leases.
            case Fault.Clock _ -> between(500, 6_000);
        };
    }

    private long pause(FaultKind.Part part) {
        if (random.nextInt(5) == 0) {
            return between(50, FaultScript.REAL_PAUSE.toMillis() - 1);
        }
        return switch (part) {
            case SERVER, MACHINE -> between(3_000, 8_000);
            case NETWORK -> between(2_000, 7_000);
            case WORKERS -> between(1_500, 5_000);
            case STORE -> between(4_000, 9_000);
        };
    }

    private long between(long from, long to) {
        return random.nextLong(from, to + 1);
    }
}
