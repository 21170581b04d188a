package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.Fault;
import io.taskmaster.harness.fault.FaultKind;
import io.taskmaster.harness.fault.FaultRun;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A listener that writes the time line of faults, and counts them. Thread-safe. */
final class FaultLog implements Consumer<FaultRun.Event> {

    private final int workers;
    private final Consumer<String> out;
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);

    FaultLog(int workers, Consumer<String> out) {
        this.workers = workers;
        this.out = out;
    }

    @Override
    public void accept(FaultRun.Event event) {
        synchronized (counts) {
            if (!event.healed()) {
                counts.merge(event.fault().kind(), 1, Integer::sum);
            }
        }
        out.accept(String.format(
                Locale.ROOT,
                "%8s  %-18s %s",
                Spans.text(event.at()),
                event.fault().kind().word(),
                event.healed() ? end(event.fault()) : begin(event.fault())));
    }

    /** Returns the number of faults of each kind. */
    Map<FaultKind, Integer> counts() {
        synchronized (counts) {
            return new EnumMap<>(counts);
        }
    }

    private String begin(Fault fault) {
        return switch (fault) {
            case Fault.Kill _ -> "server killed";
            case Fault.Stop _ -> "server frozen";
            case Fault.Restart _ -> "server shut down";
            case Fault.Disconnect _ -> "all connections cut";
            case Fault.Stall stall ->
                stall.flows().stream()
                                .map(byteFlow -> byteFlow.name().toLowerCase(Locale.ROOT))
                                .sorted()
                                .collect(Collectors.joining(" and "))
                        + " stalled";
            case Fault.Slow slow -> "network slower by " + slow.delay().toMillis() + " ms each way";
            case Fault.KillWorker kill -> worker(kill.choice()) + " killed";
            case Fault.StopWorker stop -> worker(stop.choice()) + " frozen";
            case Fault.KillRegionServer _ -> "region server killed";
            case Fault.StopRegionServer _ -> "region server frozen";
            case Fault.KillDataNode _ -> "data node killed";
            case Fault.StopDataNode _ -> "data node frozen";
            case Fault.Disk(Fault.DiskFailure failure) -> "disk: " + failure.words();
            case Fault.Descriptors _ -> "no file descriptors left";
            case Fault.Clock(Duration step) -> "wall clock set " + steps(step);
        };
    }

    private String end(Fault fault) {
        return switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> "server restarted";
            case Fault.Stop _ -> "server resumed";
            case Fault.Disconnect _, Fault.Stall _, Fault.Slow _ -> "network repaired";
            case Fault.KillWorker kill -> worker(kill.choice()) + " restarted";
            case Fault.StopWorker stop -> worker(stop.choice()) + " resumed";
            case Fault.KillRegionServer _ -> "region server restarted";
            case Fault.StopRegionServer _ -> "region server resumed";
            case Fault.KillDataNode _ -> "data node restarted";
            case Fault.StopDataNode _ -> "data node resumed";
            case Fault.Disk _ -> "disk repaired";
            case Fault.Descriptors _ -> "file descriptors available again";
            case Fault.Clock _ -> "wall clock corrected";
        };
    }

    private static String steps(Duration step) {
        return (step.isNegative() ? "back by " : "ahead by ") + Spans.text(step.abs());
    }

    private String worker(int choice) {
        return ChaosFolder.worker(Math.floorMod(choice, workers) + 1);
    }
}
