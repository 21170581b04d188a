package io.taskmaster.harness.machine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A reconstruction of a disk after a power loss, from the journal of its syncs. Single-threaded.
 *
 * <p>The library {@code disk.c} writes the journal. Its lines are
 *
 * <ul>
 *   <li>{@code F inode bytes}: so much of a file is durable;
 *   <li>{@code L inode bytes}: a failed sync lost the bytes of a file from its durable length up to here;
 *   <li>{@code D count path}: a folder was synced; one line {@code E inode kind name} for each of its entries follows.
 * </ul>
 *
 * The folder {@code kept} has a hard link to every file that was ever synced, by its inode. Each durable folder is
 * rebuilt with its durable entries. Each file is cut to its durable length plus a random part of the rest, and bytes
 * that a failed sync lost are zeros.
 */
final class PowerLoss {

    /** An entry of a folder. */
    private record Entry(long inode, boolean isFolder, String name) {}

    /** Bytes of a file that a failed sync lost. */
    private record Hole(long from, long to) {}

    private static final int ZEROS = 64 << 10;

    private final Path root;
    private final Path record;
    private final RandomGenerator random;
    private final Map<Long, Long> durableBytes = new HashMap<>();
    private final Map<Long, List<Hole>> holes = new HashMap<>();

    /** The durable entries of each folder, by its path below the root. */
    private final Map<String, List<Entry>> folders = new HashMap<>();

    PowerLoss(Path root, Path record, RandomGenerator random) {
        this.root = root;
        this.record = record;
        this.random = random;
    }

    void happen() throws IOException {
        readJournal();
        Path restored = record.resolve("left");
        restore("", Files.createDirectory(restored));
        // Only the server's data are replaced: other files of the root, such as the log of its output, are not on the
        // simulated disk.
        deleteTree(root.resolve("data"));
        if (Files.exists(restored.resolve("data"))) {
            Files.move(restored.resolve("data"), root.resolve("data"));
        }
        deleteTree(restored);
        deleteTree(record.resolve("kept"));
        Files.createDirectory(record.resolve("kept"));
        Files.write(record.resolve("journal"), allIsDurable());
    }

    private void readJournal() throws IOException {
        Iterator<String> lines = Files.readAllLines(record.resolve("journal")).iterator();
        while (lines.hasNext()) {
            String[] fields = lines.next().split(" ", 3);
            switch (fields[0]) {
                case "F" -> durableBytes.put(Long.valueOf(fields[1]), Long.valueOf(fields[2]));
                case "L" -> lost(Long.parseLong(fields[1]), Long.parseLong(fields[2]));
                case "D" -> folders.put(fields[2], entries(Integer.parseInt(fields[1]), lines));
                default -> throw new IOException("journal: " + fields[0] + " (expected: F, L or D)");
            }
        }
    }

    private void lost(long inode, long to) {
        long from = durableBytes.getOrDefault(inode, 0L);
        if (to > from) {
            holes.computeIfAbsent(inode, _ -> new ArrayList<>()).add(new Hole(from, to));
        }
    }

    private static List<Entry> entries(int count, Iterator<String> lines) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String[] fields = lines.next().split(" ", 4);
            entries.add(new Entry(Long.parseLong(fields[1]), fields[2].equals("d"), fields[3]));
        }
        return entries;
    }

    private void restore(String path, Path to) throws IOException {
        for (Entry entry : folders.getOrDefault(path, List.of())) {
            Path target = to.resolve(entry.name());
            if (entry.isFolder()) {
                restore(path.isEmpty() ? entry.name() : path + "/" + entry.name(), Files.createDirectory(target));
            } else {
                restoreFile(entry.inode(), target);
            }
        }
    }

    private void restoreFile(long inode, Path target) throws IOException {
        Path savedFile = record.resolve("kept").resolve(Long.toString(inode));
        if (!Files.exists(savedFile)) {
            // The file was never synced.
            Files.createFile(target);
            return;
        }
        Files.copy(savedFile, target);
        try (RandomAccessFile file = new RandomAccessFile(target.toFile(), "rw")) {
            long durable = Math.min(durableBytes.getOrDefault(inode, 0L), file.length());
            long luck = random.nextBoolean() ? 0 : random.nextLong(file.length() - durable + 1);
            file.setLength(durable + luck);
            for (Hole hole : holes.getOrDefault(inode, List.of())) {
                clear(file, hole.from(), Math.min(hole.to(), file.length()));
            }
        }
    }

    private static void clear(RandomAccessFile file, long from, long to) throws IOException {
        file.seek(from);
        for (long remaining = to - from; remaining > 0; remaining -= ZEROS) {
            file.write(new byte[(int) Math.min(remaining, ZEROS)]);
        }
    }

    /** Returns the journal of a disk on which everything is durable, as after the power came back. */
    private List<String> allIsDurable() throws IOException {
        List<String> journal = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted().toList()) {
                if (Files.isDirectory(path)) {
                    noteFolder(path, journal);
                } else {
                    Files.createLink(record.resolve("kept").resolve(Long.toString(inode(path))), path);
                    journal.add("F " + inode(path) + " " + Files.size(path));
                }
            }
        }
        return journal;
    }

    private void noteFolder(Path folder, List<String> journal) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> entries = files.sorted().toList();
            journal.add("D " + entries.size() + " " + root.relativize(folder));
            for (Path entry : entries) {
                journal.add("E " + inode(entry) + (Files.isDirectory(entry) ? " d " : " f ") + entry.getFileName());
            }
        }
    }

    private static long inode(Path path) throws IOException {
        return (long) Files.getAttribute(path, "unix:ino");
    }

    private static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
