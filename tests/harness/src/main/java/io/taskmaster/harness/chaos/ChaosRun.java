package io.taskmaster.harness.chaos;

import io.taskmaster.harness.chaos.ChaosReport.Starts;
import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.harness.chaos.token.TokenRing;
import io.taskmaster.harness.chaos.token.Tokens;
import io.taskmaster.harness.fault.FaultRun;
import io.taskmaster.harness.fault.FaultScript;
import io.taskmaster.harness.fault.ProcessFaults;
import io.taskmaster.harness.hbase.HBaseException;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.harness.relay.Relay;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.HistoryReader;
import io.taskmaster.testkit.history.HistoryWriter;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A run, from the start of the server to the verdict. Single-threaded; blocks until it is over.
 *
 * <p>Its phases are sequential:
 *
 * <ol>
 *   <li>the store, the server and the relay are started, and the tokens enqueued;
 *   <li>the workers are started; faults begin when every worker works;
 *   <li>the fault script runs while an observer reports;
 *   <li>all faults are undone, and the store and the server recover;
 *   <li>the workers end, each within a grace period;
 *   <li>the tokens are drained and counted, and the server terminates;
 *   <li>the oracle judges the history of all clients.
 * </ol>
 *
 * <p>From the start of the workers on, a phase that fails is a problem of the report, not an exception: the history so
 * far is judged in any case. A store or a server that does not start is a {@link ChaosException}: there is no verdict.
 */
final class ChaosRun {

    private static final Duration WORKER_START = Duration.ofSeconds(60);
    private static final Duration WORKER_GRACE = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final Duration CHECKED_TIME = Duration.ofMillis(500);
    private static final Duration TIME_CHECK_TIMEOUT = Duration.ofSeconds(60);

    private final ChaosSettings settings;
    private final FaultScript script;
    private final ChaosScreen chaosScreen;
    private final TokenRing tokenRing;
    private final ChaosFolder folder;
    private final FaultLog faults;
    private final List<String> problems = new ArrayList<>();
    private final List<ChildJvm> workers = new ArrayList<>();

    /** True if every queue was emptied in the end; if not, a task that was not seen again need not be lost. */
    private boolean drained;

    /** The largest distance of the server's time from that of its clients, because the wall clock was set. */
    private Duration slewed = Duration.ZERO;

    private ChaosRun(ChaosSettings settings, FaultScript script, ChaosScreen chaosScreen) {
        this.settings = settings;
        this.script = script;
        this.chaosScreen = chaosScreen;
        this.tokenRing = new TokenRing(settings.queues());
        this.folder = ChaosFolder.create(settings.folder());
        this.faults = new FaultLog(settings.workers(), chaosScreen::line);
    }

    /** Runs it all. Progress and verdict go to the screen. */
    static ChaosReport run(ChaosSettings settings, FaultScript script, ChaosScreen chaosScreen)
            throws InterruptedException, IOException {
        return new ChaosRun(settings, script, chaosScreen).run();
    }

    private ChaosReport run() throws InterruptedException, IOException {
        Starts starts = work();
        chaosScreen.live("checking the history ...");
        History history = HistoryReader.readAll(folder.histories());
        ChaosCounters chaosCounters = ChaosCounters.of(history);
        problems.addAll(chaosCounters.unexpected());
        OracleSettings judging = OracleSettings.DEFAULT.withClockSlack(
                OracleSettings.DEFAULT.clockSlack().plus(slewed));
        OracleVerdict verdict = Oracle.judge(history, drained ? judging.drained() : judging);
        verdict.findings().forEach(finding -> problems.add(finding.toString()));
        ChaosReport report =
                new ChaosReport(settings, faults.counts(), starts, chaosCounters, verdict.checked(), problems);
        report.lines(folder.root()).forEach(chaosScreen::line);
        Files.write(folder.report(), chaosScreen.scrollback());
        if (report.isClean()) {
            // The data of a clean run is not needed; its history is kept.
            folder.deleteData();
        }
        return report;
    }

    /** Runs the phases that have processes. */
    private Starts work() throws InterruptedException, IOException {
        chaosScreen.line("chaos: seed %d, %s of faults on %s, %d tokens in %d rings of %d queues, %d workers"
                .formatted(
                        settings.seed(),
                        Spans.text(settings.length()),
                        settings.store().word(),
                        settings.tokens(),
                        TokenRing.GROUPS.size(),
                        tokenRing.queues(),
                        settings.workers()));
        chaosScreen.live("starting ...");
        try (ChaosStore store = settings.store().start(folder.store());
                ServerProcess server = startServer(store);
                Relay relay = Relay.to(server.address());
                HistoryWriter history = HistoryWriter.create(ChaosFolder.fresh(folder.history(), "chaos"));
                RecordingCaller recordingCaller = RecordingCaller.open(relay.target(), "tokens", history);
                // This client bypasses the relay: faults of the network must not look like faults of the clock.
                RecordingCaller near = RecordingCaller.open(server.target(), "time", history)) {
            Tokens tokens = new Tokens(recordingCaller, tokenRing, settings.tokens());
            tokens.enqueue();
            try {
                startWorkers(relay);
                awaitWork();
                WatchedClock target = new WatchedClock(
                        store.exposedTo(new ProcessFaults(server, relay, workers), server),
                        new TimeCheck(near, history, CHECKED_TIME, TIME_CHECK_TIMEOUT));
                try {
                    runScript(target, server, relay, recordingCaller.with("observer", history));
                } finally {
                    problems.addAll(target.wrong());
                    slewed = target.maxError();
                }
                awaitHealed(store, server);
                endWorkers();
                drain(server, tokens);
            } catch (IllegalStateException | HBaseException broken) {
                problems.add(String.valueOf(broken.getMessage()));
            } finally {
                workers.forEach(ChildJvm::close);
            }
            return new Starts(server.starts(), store.starts());
        }
    }

    private ServerProcess startServer(ChaosStore store) throws InterruptedException {
        try {
            return ServerProcess.start(store.under(plan()));
        } catch (IllegalStateException failed) {
            throw new ChaosException(String.valueOf(failed.getMessage()), failed);
        }
    }

    private ServerPlan plan() {
        // Few partitions start quickly.
        ServerPlan plan = ServerPlan.in(folder.server())
                .withBothCompilers()
                .with("partitions", "16")
                .with("window.bytes", "1MiB");
        return settings.patch().map(plan::withPatch).orElse(plan);
    }

    private void startWorkers(Relay relay) {
        for (int i = 1; i <= settings.workers(); i++) {
            String name = ChaosFolder.worker(i);
            workers.add(ChildJvm.start(
                    ChaosWorker.command(
                            relay.target(),
                            name,
                            settings.seed(),
                            tokenRing,
                            folder.history(),
                            settings.store().maxWait()),
                    folder.log(name)));
        }
    }

    /** Waits until every worker works, so that faults do not begin before: a machine may be slow to start them. */
    private void awaitWork() throws InterruptedException {
        chaosScreen.live("waiting for the workers ...");
        long deadlineNanos = System.nanoTime() + WORKER_START.toNanos();
        while (folder.workersThatWork() < workers.size()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(
                        "the workers did not start: " + workers.getFirst().lastOutput());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private void runScript(WatchedClock target, ServerProcess server, Relay relay, RecordingCaller recordingCaller)
            throws InterruptedException {
        try (Observer _ = Observer.start(
                        recordingCaller,
                        () -> "server started %d times, %d connections".formatted(server.starts(), relay.connections()),
                        chaosScreen::live);
                FaultRun run = FaultRun.start(script, target, faults)) {
            run.await();
        }
    }

    /** Waits until store and server work again: workers end in time only if their calls are answered. */
    private void awaitHealed(ChaosStore store, ServerProcess server) throws InterruptedException {
        chaosScreen.live("waiting for the store and the server ...");
        store.awaitReady();
        server.awaitServing();
    }

    private void endWorkers() throws InterruptedException {
        chaosScreen.live("waiting for the workers ...");
        for (int i = 0; i < workers.size(); i++) {
            ChildJvm worker = workers.get(i);
            if (!worker.isAlive()) {
                problems.add("worker-%d ended by itself: %s".formatted(i + 1, worker.lastOutput()));
            } else if (worker.terminate(WORKER_GRACE).isEmpty()) {
                problems.add("worker-%d did not stop: a call hangs".formatted(i + 1));
            }
        }
    }

    private void drain(ServerProcess server, Tokens tokens) throws InterruptedException {
        chaosScreen.live("draining ...");
        problems.addAll(tokens.drain().wrong());
        drained = true;
        int status = server.terminate().orElse(-1);
        if (status != 0) {
            problems.add("the server ended with status " + status + ": " + server.lastOutput());
        }
    }
}
