package io.taskmaster.server.damage;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** A fault of a file at rest. Immutable. */
sealed interface FileFault {

    void strike(Path file) throws IOException;

    /** One flipped bit. */
    record Flip(long position, int bit) implements FileFault {

        @Override
        public void strike(Path file) throws IOException {
            ByteBuffer octet = ByteBuffer.allocate(1);
            try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
                channel.read(octet, position);
                octet.put(0, (byte) (octet.get(0) ^ (1 << bit)));
                channel.write(octet.rewind(), position);
            }
        }
    }

    /** A sector or less that reads as zeros. */
    record Zeros(long position, int length) implements FileFault {

        @Override
        public void strike(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, WRITE)) {
                channel.write(ByteBuffer.allocate(length), position);
            }
        }
    }

    /** A missing end. */
    record Cut(long length) implements FileFault {

        @Override
        public void strike(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, WRITE)) {
                channel.truncate(length);
            }
        }
    }

    /** A missing file. */
    record Removal() implements FileFault {

        @Override
        public void strike(Path file) throws IOException {
            Files.delete(file);
        }
    }

    /**
     * Returns a random fault that changes a file of this size: anywhere, near its beginning, or near its end, where
     * footers, indexes and the last records are.
     */
    static FileFault drawn(RandomGenerator random, long size) {
        if (size == 0 || random.nextInt(12) == 0) {
            return new Removal();
        }
        long near = Math.min(size, 64);
        long position = switch (random.nextInt(4)) {
            case 0 -> random.nextLong(near);
            case 1 -> size - 1 - random.nextLong(near);
            case 2 -> size - 1 - random.nextLong(Math.min(size, 4096));
            default -> random.nextLong(size);
        };
        return switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> new Flip(position, random.nextInt(8));
            case 4 -> new Zeros(position, (int) Math.min(size - position, 512));
            case 5 -> new Cut(random.nextInt(4) == 0 ? 0 : random.nextLong(size));
            default -> new Cut(position);
        };
    }
}
