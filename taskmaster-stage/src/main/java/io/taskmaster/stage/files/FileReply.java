package io.taskmaster.stage.files;

import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A reply to an order. The last reply to each order is a {@link Content}, an {@link End}, a {@link Written}, or a
 * {@link Failed}. Immutable.
 */
public sealed interface FileReply {

    /** The file of the order. */
    Path path();

    /** The content of a whole file. */
    record Content(Path path, Bytes bytes) implements FileReply {}

    /**
     * A chunk of a file. Chunks of one order come in order.
     *
     * @param offset the position of its first byte in the file
     */
    record Chunk(Path path, long offset, Bytes bytes) implements FileReply {}

    /**
     * A line of a file, without its end. Lines of one order come in order.
     *
     * @param number its number; 1 for the first
     */
    record Line(Path path, long number, Bytes text) implements FileReply {}

    /**
     * The end of the chunks or lines.
     *
     * @param count the number of chunks or lines
     */
    record End(Path path, long count) implements FileReply {}

    /** The success of a write: the content is written and, if the order said so, forced to the disk. */
    record Written(Path path, long bytes) implements FileReply {}

    /**
     * The failure of an order. A failed write has left no trace, except that an append may be there in part, and that
     * all of it is there if only forcing it to the disk has failed.
     *
     * @param text a message for display
     */
    record Failed(Path path, Cause cause, String text) implements FileReply {}

    /** The cause of a failure. */
    enum Cause {
        NOT_FOUND,
        /** The file was to be created, and exists. */
        EXISTS,
        DENIED,
        /** The file, or a line of it, is larger than the order allowed. */
        TOO_LARGE,
        /** Reading or writing failed. */
        IO,
        /** The stage dropped the order. */
        DROPPED;

        static Cause of(IOException e) {
            return switch (e) {
                case NoSuchFileException missing -> NOT_FOUND;
                case FileAlreadyExistsException existing -> EXISTS;
                case AccessDeniedException denied -> DENIED;
                case TooLargeException large -> TOO_LARGE;
                default -> IO;
            };
        }
    }
}
