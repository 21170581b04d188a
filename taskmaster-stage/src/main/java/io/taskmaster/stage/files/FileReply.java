package io.taskmaster.stage.files;

import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What came of an order. The last one to each is a {@link Content}, an {@link End}, a {@link Written}, or a {@link Failed}. Immutable. */
public sealed interface FileReply {

    /** The file that was asked for. */
    Path path();

    /** All of a file. */
    record Content(Path path, Bytes bytes) implements FileReply {}

    /**
     * A part of a file; they come in their order.
     *
     * @param offset of its first byte
     */
    record Chunk(Path path, long offset, Bytes bytes) implements FileReply {}

    /**
     * A line of a file, without the end of it; they come in their order.
     *
     * @param number 1 for the first
     */
    record Line(Path path, long number, Bytes text) implements FileReply {}

    /**
     * There are no more chunks or lines.
     *
     * @param count how many there were
     */
    record End(Path path, long count) implements FileReply {}

    /** It is written and, if that was asked, on the disk. */
    record Written(Path path, long bytes) implements FileReply {}

    /**
     * Nothing comes any more. Of a write, nothing is to be seen, unless it was an append, which may be there in part, or what failed was to force it.
     *
     * @param text for people
     */
    record Failed(Path path, Cause cause, String text) implements FileReply {}

    /** Why an order has failed. */
    enum Cause {
        NOT_FOUND,
        /** It was to be created. */
        EXISTS,
        DENIED,
        /** The file, or a line of it, is larger than was asked for. */
        TOO_LARGE,
        /** Reading or writing failed. */
        IO,
        /** The stage has dropped the order. */
        DROPPED;

        static Cause of(IOException e) {
            return switch (e) {
                case NoSuchFileException _ -> NOT_FOUND;
                case FileAlreadyExistsException _ -> EXISTS;
                case AccessDeniedException _ -> DENIED;
                case TooLargeException _ -> TOO_LARGE;
                default -> IO;
            };
        }
    }
}
