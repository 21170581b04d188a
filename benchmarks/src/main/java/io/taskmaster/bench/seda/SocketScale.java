package io.taskmaster.bench.seda;

import com.sun.management.UnixOperatingSystemMXBean;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.net.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * SEDA's socket experiment: from 64 to 8,192 connections, each of which sends 8 KB, waits for an answer of 32 bytes,
 * and sends the next request; then 256 of them with and without 10,000 silent ones. The server is an endpoint with a
 * local stage that answers, and then Netty alone; the peers are in a process of their own. Configurations that are
 * compared are measured alternately, several times. Immutable.
 *
 * @param counts the numbers of connections
 * @param activeCount the number of active connections when silent ones are added
 * @param silent the number of silent connections
 * @param warmUp the time before the first measurement; a tenth of it before each further one
 */
record SocketScale(List<Integer> counts, int activeCount, int silent, Duration warmUp) implements Experiment {

    private static final int ROUNDS = 4;
    private static final int PAIRS = 10;
    private static final int OTHER_FILES = 500;

    static SocketScale ofThePaper() {
        return new SocketScale(List.of(64, 256, 1_024, 4_096, 8_192), 256, 10_000, Duration.ofSeconds(15));
    }

    @Override
    public String run(Duration each) throws InterruptedException {
        checkFiles();
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Sockets sockets = Sockets.start();
                LocalStages stages = LocalStages.start();
                Answering stageServer = Answering.byStage(sockets, stages, anywhere);
                Answering bare = new BareNetty(anywhere);
                SocketPeers peers = SocketPeers.start(sockets)) {
            for (Answering server : List.of(stageServer, bare)) {
                peers.set(server, activeCount, 0);
                Thread.sleep(warmUp);
            }
            Run run = new Run(peers, each.dividedBy(ROUNDS), warmUp.dividedBy(10));
            return "### Sockets\n\n" + active(run, stageServer, bare) + "\n" + idle(run, stageServer);
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot listen", e);
        }
    }

    /**
     * The result of one run. Immutable.
     *
     * @param cpuMicros the processor time of this process per request, in microseconds
     */
    private record Measured(double perSecond, double cpuMicros) {}

    /** A measurement that is repeated with the same peers and durations. Immutable. */
    private record Run(SocketPeers peers, Duration each, Duration warmUp) {

        Measured measure(Answering server, int active, int silent) throws InterruptedException {
            peers.set(server, active, silent);
            Thread.sleep(warmUp);
            long before = server.answered();
            Duration cpuBefore = cpu();
            long startNanos = System.nanoTime();
            Thread.sleep(each);
            long answered = server.answered() - before;
            return new Measured(
                    answered * 1e9 / (System.nanoTime() - startNanos),
                    cpu().minus(cpuBefore).toNanos() / 1e3 / answered);
        }

        private static Duration cpu() {
            return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        }
    }

    /**
     * Measures each number of connections for both servers. Every other round is in reverse order, with the servers
     * swapped, so that a machine that becomes slower or faster favours no configuration.
     */
    private String active(Run run, Answering stageServer, Answering bare) throws InterruptedException {
        StageRates ourRates = new StageRates();
        StageRates bareRates = new StageRates();
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> order = new ArrayList<>(counts);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (int count : order) {
                if (round % 2 == 0) {
                    ourRates.add(count, run.measure(stageServer, count, 0).perSecond());
                }
                bareRates.add(count, run.measure(bare, count, 0).perSecond());
                if (round % 2 == 1) {
                    ourRates.add(count, run.measure(stageServer, count, 0).perSecond());
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "connections",
                "requests/s",
                "Mbit/s",
                "of the best",
                "bare Netty",
                "of its best",
                "ours of bare Netty"));
        for (int count : ourRates.connections()) {
            double perSecond = ourRates.perSecond(count);
            rows.add(List.of(
                    Text.count((double) count),
                    Text.count(perSecond),
                    Text.count(perSecond * SocketLoad.REQUEST_BYTES * 8 / 1e6),
                    Text.percent(ourRates.ofBest(count)),
                    Text.count(bareRates.perSecond(count)),
                    Text.percent(bareRates.ofBest(count)),
                    Text.percent(ourRates.relativeTo(bareRates, count))));
        }
        return TableStyle.MARKDOWN.table(rows)
                + "\n\n"
                + Plot.bars(
                        "Throughput",
                        "connections",
                        counts.stream().map(Text::count).toList(),
                        "requests/s",
                        counts.stream().map(ourRates::perSecond).toList());
    }

    private String idle(Run run, Answering server) throws InterruptedException {
        List<Measured> without = new ArrayList<>();
        List<Measured> with = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            if (pair % 2 == 0) {
                without.add(run.measure(server, activeCount, 0));
            }
            with.add(run.measure(server, activeCount, silent));
            if (pair % 2 == 1) {
                without.add(run.measure(server, activeCount, 0));
            }
        }
        return """
                %s silent connections beside %s, %d times in turn, with and without them: %s and %s requests/s, %s by the median pair.
                A request costs the server %s and %s us of processor time, %s.
                """.formatted(
                        Text.count(silent),
                        Text.count(activeCount),
                        PAIRS,
                        listed(with, one -> Text.count(one.perSecond())),
                        listed(without, one -> Text.count(one.perSecond())),
                        Text.change(medianRatio(with, without, Measured::perSecond)),
                        listed(with, one -> Text.tenths(one.cpuMicros())),
                        listed(without, one -> Text.tenths(one.cpuMicros())),
                        Text.change(medianRatio(with, without, Measured::cpuMicros)));
    }

    private static double medianRatio(List<Measured> of, List<Measured> to, ToDoubleFunction<Measured> figure) {
        return StageRates.medianRatio(
                of.stream().map(figure::applyAsDouble).toList(),
                to.stream().map(figure::applyAsDouble).toList());
    }

    private static String listed(List<Measured> runs, Function<Measured, String> figure) {
        return runs.stream().map(figure).collect(Collectors.joining(", "));
    }

    private void checkFiles() {
        // While the connections of one server are made, those of the other may not have been closed yet.
        int requiredFiles =
                Math.max(2 * Collections.max(counts), activeCount + silent + Collections.max(counts)) + OTHER_FILES;
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < requiredFiles) {
            throw new IllegalStateException("open files (ulimit -n): %d (expected: %d or more)"
                    .formatted(system.getMaxFileDescriptorCount(), requiredFiles));
        }
    }
}
