package io.taskmaster.harness.machine;

import io.taskmaster.harness.process.ServerPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A folder for the data of a server whose file system calls can fail on demand, and that can lose everything that was
 * not synced, as in a power loss.
 *
 * <p>It is a library in C that is loaded before the system's; {@code disk.c} defines what is recorded. Faults are files
 * in a folder that the library reads at each call. Thread-safe, except for {@link #losePower}, which requires that the
 * server does not run.
 */
public final class UnreliableDisk {

    /** A kind of call that can fail. */
    public enum Call {
        /**
         * fsync and fdatasync, of files and of folders. A failed sync of a file loses the bytes that were not durable
         * before: a later sync succeeds without them.
         */
        SYNC,
        WRITE,
        /** Opening for writing, and renaming. */
        CREATE
    }

    /** An error number of Linux. */
    public enum ErrorNumber {
        EIO(5),
        EMFILE(24),
        ENOSPC(28),
        EROFS(30),
        EDQUOT(122);

        private final int number;

        ErrorNumber(int number) {
            this.number = number;
        }
    }

    private static final String FAULTY = "faulty";

    private final Path library;
    private final Path root;
    private final Path record;

    private UnreliableDisk(Path root, Path folder) throws IOException {
        this.library = PreloadedLibrary.compile("disk", folder);
        this.root = root;
        this.record = folder.resolve("record");
        for (Path part : List.of(root, record, record.resolve("kept"), faults())) {
            Files.createDirectories(part);
        }
    }

    /**
     * Creates a disk in a folder, with all its files.
     *
     * @return empty without a compiler, or if this is not Linux
     */
    public static Optional<UnreliableDisk> in(Path folder) {
        return at(folder.resolve("disk"), folder);
    }

    /**
     * Creates a disk for a given root.
     *
     * @param root the folder that is on the disk
     * @param folder the folder of its files; on the same file system, and not in the root
     * @return empty without a compiler, or if this is not Linux
     */
    public static Optional<UnreliableDisk> at(Path root, Path folder) {
        if (!PreloadedLibrary.isPossible()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new UnreliableDisk(
                    Files.createDirectories(root).toRealPath(),
                    Files.createDirectories(folder).toRealPath()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the folder that is on this disk: what a server keeps in it can be lost. */
    public Path root() {
        return root;
    }

    /**
     * Returns the plan of the same server on this disk, which fails and loses power; its folder must be {@link #root}.
     * Everything that it ever synced is kept.
     */
    public ServerPlan under(ServerPlan plan) {
        return plan.withPreloaded(library, variables(Map.of("TASKMASTER_DISK_LOSES", "power")));
    }

    /**
     * Returns the plan of the same server on this disk, which fails and does not lose power; its folder must be
     * {@link #root}.
     */
    public ServerPlan onlyFailingUnder(ServerPlan plan) {
        return plan.withPreloaded(library, variables(Map.of()));
    }

    private Map<String, String> variables(Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(more);
        variables.put("TASKMASTER_DISK_ROOT", root.toString());
        variables.put("TASKMASTER_DISK_RECORD", record.toString());
        return variables;
    }

    /** Lets such calls fail until {@link #heal}. */
    public void fail(Call call, ErrorNumber error, String endOfName) {
        arm(word(call), error, endOfName);
    }

    /** Lets the next such call fail. */
    public void failOnce(Call call, ErrorNumber error, String endOfName) {
        arm(word(call) + ".once", error, endOfName);
    }

    /** Returns whether the call that is to fail once is still to come. */
    public boolean isToFail(Call call) {
        return Files.exists(faults().resolve(word(call) + ".once"));
    }

    private void arm(String name, ErrorNumber error, String endOfName) {
        try {
            // The rename makes the fault appear with its whole content: the library may read it at any time.
            Path complete = Files.writeString(record.resolve("fault.new"), error.number + " " + endOfName);
            Files.move(complete, faults().resolve(name), StandardCopyOption.ATOMIC_MOVE);
            Files.writeString(record.resolve(FAULTY), "");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends all failures. */
    public void heal() {
        try {
            Files.deleteIfExists(record.resolve(FAULTY));
            for (Call call : Call.values()) {
                Files.deleteIfExists(faults().resolve(word(call)));
                Files.deleteIfExists(faults().resolve(word(call) + ".once"));
            }
        } catch (NoSuchFileException absent) {
            // A call has consumed it at this moment.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Reverts everything to what is durable: files end where they ended at their last sync, and folders hold what they
     * held at theirs.
     *
     * @param random decides how much of the data that was not synced reached the disk nevertheless
     */
    public void losePower(RandomGenerator random) {
        try {
            new PowerLoss(root, record, random).happen();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path faults() {
        return record.resolve("faults");
    }

    private static String word(Call call) {
        return call.name().toLowerCase(Locale.ROOT);
    }
}
