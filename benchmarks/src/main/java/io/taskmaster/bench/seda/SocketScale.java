package io.taskmaster.bench.seda;

import com.sun.management.UnixOperatingSystemMXBean;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.Framing;
import io.taskmaster.stage.net.Message;
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
import java.util.Locale;

/**
 * SEDA's sockets: from 64 to 8,192 connections, each of which sends 8 KB, waits for an answer of 32 bytes, and sends the next; then 256 of them beside 10,000 silent
 * ones. The server is an endpoint and a local stage that answers; the peers are in a process of their own. What is compared is measured in turn, some times.
 *
 * @param counts of connections
 * @param beside so many connections the silent ones are
 * @param warmUp before the first measurement; a part of it before each
 */
record SocketScale(List<Integer> counts, int beside, int silent, Duration warmUp) implements Experiment {

    private static final int ROUNDS = 3;
    private static final int CAPACITY = 16_384;
    private static final int OTHER_FILES = 500;
    private static final Bytes ANSWER = Bytes.wrap(new byte[SocketLoad.ANSWER_BYTES]);

    static SocketScale ofThePaper() {
        return new SocketScale(List.of(64, 256, 1_024, 4_096, 8_192), 256, 10_000, Duration.ofSeconds(15));
    }

    @Override
    public String run(Duration each) throws InterruptedException {
        checkFiles();
        try (Sockets sockets = Sockets.start();
                LocalStages stages = LocalStages.start()) {
            LocalStage<Message> answers = stages.add(
                    "answers",
                    stage -> stage.handler(message -> message.answer(ANSWER))
                            .boundary(CAPACITY, boundary -> boundary.concurrency(2)));
            Endpoint server = sockets.endpoint(
                    "server",
                    Framing.fixed(SocketLoad.REQUEST_BYTES),
                    answers,
                    settings -> settings.writes(Framing.fixed(SocketLoad.ANSWER_BYTES))
                            .maxConnections(SocketLoad.MAX_CONNECTIONS));
            InetSocketAddress address = server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketPeers peers = SocketPeers.start(sockets, address)) {
                peers.set(beside, 0);
                Thread.sleep(warmUp);
                Run run = new Run(server, peers, each.dividedBy(ROUNDS), warmUp.dividedBy(10));
                return "### Sockets\n\n" + active(run) + "\n" + idle(run);
            } finally {
                server.drain(Duration.ZERO).join();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot listen", e);
        }
    }

    /** One who measures. */
    private record Run(Endpoint server, SocketPeers peers, Duration each, Duration warmUp) {

        double perSecond(int asking, int silent) throws InterruptedException {
            peers.set(asking, silent);
            Thread.sleep(warmUp);
            long before = server.status().messagesOut();
            long began = System.nanoTime();
            Thread.sleep(each);
            return (server.status().messagesOut() - before) * 1e9 / (System.nanoTime() - began);
        }
    }

    /** Every other round backwards, so that a machine that gets slower or faster favours nobody. */
    private String active(Run run) throws InterruptedException {
        Rates rates = new Rates();
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> order = new ArrayList<>(counts);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (int count : order) {
                rates.add(count, run.perSecond(count, 0));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("connections", "requests/s", "Mbit/s", "of the best"));
        for (int count : rates.connections()) {
            double perSecond = rates.perSecond(count);
            rows.add(List.of(
                    Text.count((double) count),
                    Text.count(perSecond),
                    Text.count(perSecond * SocketLoad.REQUEST_BYTES * 8 / 1e6),
                    Text.percent(rates.ofBest(count))));
        }
        return TableStyle.MARKDOWN.table(rows)
                + "\n\n"
                + Plot.bars(
                        "Throughput",
                        "connections",
                        counts.stream().map(Text::count).toList(),
                        "requests/s",
                        counts.stream().map(rates::perSecond).toList());
    }

    private String idle(Run run) throws InterruptedException {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            without.add(run.perSecond(beside, 0));
            with.add(run.perSecond(beside, silent));
        }
        double cost = 1 - Rates.medianRatio(with, without);
        return "%s silent connections beside %s, %d times in turn: %s requests/s with them, %s without; they cost %s.%n"
                .formatted(
                        Text.count(silent),
                        Text.count(beside),
                        ROUNDS,
                        counted(with),
                        counted(without),
                        String.format(Locale.ROOT, "%.1f %%", cost * 100));
    }

    private static String counted(List<Double> rates) {
        return String.join(", ", rates.stream().map(Text::count).toList());
    }

    private void checkFiles() {
        int most = Math.max(Collections.max(counts), beside + silent) + OTHER_FILES;
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < most) {
            throw new IllegalStateException("open files (ulimit -n): %d (expected: %d or more)"
                    .formatted(system.getMaxFileDescriptorCount(), most));
        }
    }
}
