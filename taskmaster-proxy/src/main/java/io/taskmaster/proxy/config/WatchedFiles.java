package io.taskmaster.proxy.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A set of files that settings name and that belong together. They are loaded when they are opened, and again whenever
 * one of them has changed. Unusable contents are an error the first time; later they are a warning, and the contents
 * loaded before stay in effect.
 *
 * <p>Contents are compared rather than times, and are loaded only when two successive looks see the same. So files that
 * are being written, or of which one is new and the other old, are rarely loaded. Owns a thread until it is closed.
 * Thread-safe.
 *
 * <pre>{@code
 * state      | event: a look, every second       | next       | effect
 * -----------+-----------------------------------+------------+------------------------------------
 * settled    | the contents loaded or rejected   | settled    | none
 * settled    | other contents                    | changing   | none
 * changing   | the same contents as the last look| settled    | loaded, unless they are the old ones
 * changing   | other contents                    | changing   | none
 * any        | a file cannot be read             | unreadable | one warning per outage
 * unreadable | all files can be read             | changing   | none
 * }</pre>
 */
public final class WatchedFiles implements AutoCloseable {

    /** A consumer of the contents, in the order of the files. It rejects them with a {@link ConfigException}. */
    @FunctionalInterface
    public interface Taker {

        void accept(List<byte[]> contents);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);
    private static final long CHECK_INTERVAL_MILLIS = 1_000;

    /** The maximum size of a file, above any sensible one. */
    private static final int MAX_BYTES = 1 << 20;

    private final String key;
    private final List<Path> files;
    private final Taker consumer;
    private final ScheduledExecutorService scheduler;

    /**
     * The contents that were loaded or rejected last, and those of the last look. Single-threaded: owned by the
     * watching thread.
     */
    private List<byte[]> settled;

    private List<byte[]> lastContents;

    private WatchedFiles(String key, List<Path> files, Taker consumer, List<byte[]> first) {
        this.key = key;
        this.files = List.copyOf(files);
        this.consumer = consumer;
        this.settled = first;
        this.lastContents = first;
        scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("watched-files").daemon().factory());
        var _ = scheduler.scheduleWithFixedDelay(
                this::check, CHECK_INTERVAL_MILLIS, CHECK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Loads the files, and watches them from now on. Blocks.
     *
     * @param key the key of the setting, for messages
     */
    public static WatchedFiles open(String key, List<Path> files, Taker consumer) {
        List<byte[]> first;
        try {
            first = read(files);
        } catch (IOException e) {
            throw new ConfigException(unreadable(key, e), e);
        }
        consumer.accept(first);
        return new WatchedFiles(key, files, consumer, first);
    }

    private void check() {
        try {
            List<byte[]> now = read(files);
            boolean stable = same(now, lastContents);
            lastContents = now;
            // Two looks, a second apart, saw the same contents: no writer is in the middle of them.
            if (stable && !same(now, settled)) {
                // Before the contents are loaded: rejected contents are not tried again until they change.
                settled = now;
                consumer.accept(now);
                LOG.info("{}: reloaded {}", key, files);
            }
        } catch (IOException e) {
            // Warns once per outage: an empty list means that the last look failed, too.
            if (!lastContents.isEmpty()) {
                LOG.warn("{}; the previous contents stay in effect", unreadable(key, e));
            }
            lastContents = List.of();
        } catch (ConfigException refused) {
            LOG.warn("{}; the previous contents stay in effect", refused.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{}: could not reload {}; the previous contents stay in effect", key, files, e);
        }
    }

    private static List<byte[]> read(List<Path> files) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new IOException(file + ": larger than " + MAX_BYTES + " bytes");
                }
                contents.add(bytes);
            }
        }
        return contents;
    }

    private static String unreadable(String key, IOException e) {
        return key + ": " + e.getMessage() + ": " + e.getClass().getSimpleName()
                + " (expected: a file that this process can read)";
    }

    private static boolean same(List<byte[]> first, List<byte[]> others) {
        return Arrays.deepEquals(first.toArray(), others.toArray());
    }

    /** Stops watching. Idempotent. */
    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
