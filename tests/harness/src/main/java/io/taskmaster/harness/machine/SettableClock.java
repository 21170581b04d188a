package io.taskmaster.harness.machine;

import io.taskmaster.harness.process.ServerPlan;
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
 * A wall clock of servers that can be set while they run. Their monotonic clock, and the clocks of all other processes,
 * are not affected. It is a library in C that is loaded before the system's; {@code clock.c} defines what it shows.
 * Thread-safe.
 */
public final class SettableClock {

    private final Path library;
    private final Path file;

    /** The offset of the clock, mapped here and in the servers: they read at once what is written here. */
    private final ByteBuffer ahead;

    private SettableClock(Path folder) throws IOException {
        this.library = PreloadedLibrary.compile("clock", folder);
        this.file = folder.resolve("ahead");
        this.ahead = map(file).order(ByteOrder.nativeOrder());
        set(Duration.ZERO);
    }

    /**
     * Creates a clock that is right.
     *
     * @param folder the folder of its files
     * @return empty without a compiler, or if this is not Linux
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

    /** Returns the plan of the same server with this clock. */
    public ServerPlan under(ServerPlan plan) {
        return plan.withPreloaded(library, Map.of("TASKMASTER_CLOCK_AHEAD", file.toString()));
    }

    /**
     * Sets the clock.
     *
     * @param by the time by which it is ahead of the right time from now on; negative: behind
     */
    public void set(Duration by) {
        ahead.putLong(0, by.toNanos());
    }
}
