package io.taskmaster.bigtable;

import io.taskmaster.harness.process.ChildProgram;
import io.taskmaster.testkit.FreePort;
import io.taskmaster.testkit.Health;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Google's emulator of Cloud Bigtable, in a child process on loopback. It accepts any project and instance, keeps all
 * data in memory, checks no credentials, and accepts much that the service refuses. It ends with this process.
 * Thread-safe.
 */
final class BigtableEmulator implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final InetSocketAddress address;
    private final ChildProgram program;

    private BigtableEmulator(InetSocketAddress address, ChildProgram program) {
        this.address = address;
        this.program = program;
    }

    /**
     * Starts an empty emulator on a free port and waits until it listens. Blocks.
     *
     * @param log the file to which its output is appended
     * @throws IllegalStateException if it cannot be built or does not start
     */
    static BigtableEmulator start(Path log) throws InterruptedException {
        Path program = EmulatorProgram.build();
        return FreePort.open(address -> startAt(address, program, log));
    }

    private static BigtableEmulator startAt(InetSocketAddress address, Path program, Path log)
            throws FreePort.TakenException, InterruptedException {
        List<String> words = List.of(program.toString(), "-address", text(address));
        BigtableEmulator emulator = new BigtableEmulator(address, ChildProgram.start(words, log));
        if (!Health.awaitListening(address, START_LIMIT, emulator.program::isAlive)) {
            emulator.close();
            FreePort.throwIfTaken(emulator.lastWords());
            throw new IllegalStateException("the emulator does not listen: " + emulator.lastWords());
        }
        return emulator;
    }

    /** The address for clients, as host and port. */
    String endpoint() {
        return text(address);
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns whether it runs. */
    boolean isAlive() {
        return program.isAlive();
    }

    /** Returns the end of its log. */
    String lastWords() {
        return program.lastOutput();
    }

    /** Kills it; all its data is lost. Idempotent; blocks. */
    @Override
    public void close() {
        program.close();
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
