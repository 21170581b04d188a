package io.taskmaster.server.damage;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** What may happen to a file while nobody looks. Immutable. */
sealed interface Fault {

    void strike(Path file) throws IOException;

    /** One bit is another. */
    record Flip(long position, int bit) implements Fault {

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

    /** A sector or more reads as zeros. */
    record Zeros(long position, int length) implements Fault {

        @Override
        public void strike(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, WRITE)) {
                channel.write(ByteBuffer.allocate(length), position);
            }
        }
    }

    /** The end is missing. */
    record Cut(long length) implements Fault {

        @Override
        public void strike(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, WRITE)) {
                channel.truncate(length);
            }
        }
    }

    /** The file is missing. */
    record Removal() implements Fault {

        @Override
        public void strike(Path file) throws IOException {
            Files.delete(file);
        }
    }

    /** One that changes a file of this size: anywhere, at its beginning, or at its end, where footers, indexes and the last records are. */
    static Fault drawn(RandomGenerator random, long size) {
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
