package io.taskmaster.testkit.machine;

import io.taskmaster.testkit.process.ServerPlan;
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
 * A folder for the data of a server whose calls of the file system can be made to fail, and that can lose everything that was not synced, as
 * when the power goes. It is a library in C that is loaded before the system's. Thread-safe, but for {@link #losePower}, which is for when the
 * server does not run.
 *
 * <p>{@code disk.c} says what is noted, and how.
 */
public final class UnreliableDisk {

    /** Of calls that can fail. */
    public enum Call {
        /** fsync and fdatasync, of files and of folders. Of a file it loses what was not durable before: a later sync succeeds, without that. */
        SYNC,
        WRITE,
        /** Opening for writing, and renaming. */
        CREATE
    }

    /** Error numbers of Linux. */
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
     * Makes one in a folder, with all that belongs to it.
     *
     * @return empty where there is no compiler, or this is not Linux
     */
    public static Optional<UnreliableDisk> in(Path folder) {
        return at(folder.resolve("disk"), folder);
    }

    /**
     * Makes one of a folder.
     *
     * @param root what is on the disk
     * @param folder for what belongs to it; on the same file system, and not in the root
     * @return empty where there is no compiler, or this is not Linux
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

    /** The folder that is on this disk: what a server keeps in it can be lost. */
    public Path root() {
        return root;
    }

    /** The same server, on this disk, which fails and loses power; its folder has to be {@link #root}. Everything it ever synced is kept. */
    public ServerPlan under(ServerPlan plan) {
        return plan.withPreloaded(library, variables(Map.of("TASKMASTER_DISK_LOSES", "power")));
    }

    /** The same server, on this disk, which fails and does not lose power; its folder has to be {@link #root}. */
    public ServerPlan onlyFailingUnder(ServerPlan plan) {
        return plan.withPreloaded(library, variables(Map.of()));
    }

    private Map<String, String> variables(Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(more);
        variables.put("TASKMASTER_DISK_ROOT", root.toString());
        variables.put("TASKMASTER_DISK_RECORD", record.toString());
        return variables;
    }

    /** From now on such calls fail, until {@link #heal}. */
    public void fail(Call call, ErrorNumber error, String endOfName) {
        arm(word(call), error, endOfName);
    }

    /** The next such call fails. */
    public void failOnce(Call call, ErrorNumber error, String endOfName) {
        arm(word(call) + ".once", error, endOfName);
    }

    /** Whether the call that is to fail once has not come yet. */
    public boolean isToFail(Call call) {
        return Files.exists(faults().resolve(word(call) + ".once"));
    }

    private void arm(String name, ErrorNumber error, String endOfName) {
        try {
            Path whole = Files.writeString(record.resolve("fault.new"), error.number + " " + endOfName);
            Files.move(whole, faults().resolve(name), StandardCopyOption.ATOMIC_MOVE);
            Files.writeString(record.resolve(FAULTY), "");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** From now on no call fails. */
    public void heal() {
        try {
            Files.deleteIfExists(record.resolve(FAULTY));
            for (Call call : Call.values()) {
                Files.deleteIfExists(faults().resolve(word(call)));
                Files.deleteIfExists(faults().resolve(word(call) + ".once"));
            }
        } catch (NoSuchFileException gone) {
            // A call took it at this moment.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Takes everything back to what is durable: files end where they ended at their last sync, and folders hold what they held at theirs.
     *
     * @param random of what was not synced, some may have got to the disk all the same: this decides what
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
