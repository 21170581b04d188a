package io.taskmaster.testkit.machine;

import io.taskmaster.testkit.process.ServerPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock of servers that can be set while they run; their monotonic clock stays as it is, and so do the clocks of everybody else. It is a
 * library in C that is loaded before the system's; {@code clock.c} says what it shows. Thread-safe.
 */
public final class SettableClock {

    private final Path library;
    private final Path file;

    /** Mapped here and in the servers: what is written here they read at once. */
    private final ByteBuffer ahead;

    private SettableClock(Path folder) throws IOException {
        this.library = PreloadedLibrary.compile("clock", folder);
        this.file = folder.resolve("ahead");
        this.ahead = map(file).order(ByteOrder.nativeOrder());
        set(Duration.ZERO);
    }

    /**
     * Makes one that is right.
     *
     * @param folder for what belongs to it
     * @return empty where there is no compiler, or this is not Linux
     */
    public static Optional<SettableClock> in(Path folder) {
        if (!PreloadedLibrary.isPossible()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SettableClock(Files.createDirectories(folder).toRealPath()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static MappedByteBuffer map(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
        }
    }

    /** The same server, by this clock. */
    public ServerPlan under(ServerPlan plan) {
        return plan.withPreloaded(library, Map.of("TASKMASTER_CLOCK_AHEAD", file.toString()));
    }

    /**
     * Sets it.
     *
     * @param by so much it is ahead of the right time from now on; negative: behind
     */
    public void set(Duration by) {
        ahead.putLong(0, by.toNanos());
    }
}
