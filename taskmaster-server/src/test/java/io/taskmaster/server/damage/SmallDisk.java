package io.taskmaster.server.damage;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system of its own. Needs the permission to mount. Closing unmounts it. */
final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 64 << 10;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    static SmallDisk mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectories(folder);
        run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    /** Returns whether this process may mount one. */
    static boolean isPossible(Path folder) {
        try (SmallDisk _ = mount(folder, 1)) {
            return true;
        } catch (IOException forbidden) {
            return false;
        }
    }

    Path data() {
        return folder.resolve("data");
    }

    long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    /** Fills the disk, like another process, up to a rest. */
    void fillBut(long freeBytes) throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve("ballast"), CREATE, APPEND)) {
            while (freeBytes() > freeBytes) {
                file.write(ByteBuffer.allocate(BLOCK_BYTES));
            }
        }
    }

    /** Fills the disk, like another process, to the last byte. */
    void fill() throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve("ballast"), CREATE, APPEND)) {
            for (int bytes = BLOCK_BYTES; bytes > 0; ) {
                try {
                    if (file.write(ByteBuffer.allocate(bytes)) < bytes) {
                        bytes /= 2;
                    }
                } catch (IOException full) {
                    bytes /= 2;
                }
            }
        }
    }

    /** Frees what was filled. */
    void free() throws IOException {
        Files.deleteIfExists(folder.resolve("ballast"));
    }

    @Override
    public void close() throws IOException {
        // Lazily: the first store of a process maps the library that it unpacked there, until the process ends.
        run("umount", "--lazy", folder.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + ": status " + status);
        }
    }
}
