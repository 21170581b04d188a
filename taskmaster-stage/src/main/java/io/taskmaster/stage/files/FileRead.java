package io.taskmaster.stage.files;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.files.FileReply.Chunk;
import io.taskmaster.stage.files.FileReply.Content;
import io.taskmaster.stage.files.FileReply.End;
import io.taskmaster.stage.files.FileReply.Line;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The ways to read a file. Each passes all that it reads to its answers, in order, and blocks. */
final class FileRead {

    /** A receiver of replies. It blocks until the reply is taken, and only then is more read. */
    interface Answers {

        void give(FileReply reply) throws InterruptedException;
    }

    private FileRead() {}

    static void wholeFile(Path path, int maxBytes, Answers answers) throws IOException, InterruptedException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(maxBytes);
            if (in.read() >= 0) {
                throw new TooLargeException(path.toString(), maxBytes);
            }
        }
        answers.give(new Content(path, Bytes.wrap(bytes)));
    }

    static void chunks(Path path, int bytes, Answers answers) throws IOException, InterruptedException {
        long count = 0;
        try (InputStream in = Files.newInputStream(path)) {
            long offset = 0;
            for (byte[] next = in.readNBytes(bytes); next.length > 0; next = in.readNBytes(bytes)) {
                answers.give(new Chunk(path, offset, Bytes.wrap(next)));
                offset += next.length;
                count++;
            }
        }
        answers.give(new End(path, count));
    }

    static void lines(Path path, int maxBytes, Answers answers) throws IOException, InterruptedException {
        long count = 0;
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    answers.give(new Line(path, ++count, text(line)));
                    line.reset();
                } else if (line.size() == maxBytes) {
                    throw new TooLargeException("line %d".formatted(count + 1), maxBytes);
                } else {
                    line.write(next);
                }
            }
        }
        if (line.size() > 0) {
            answers.give(new Line(path, ++count, text(line)));
        }
        answers.give(new End(path, count));
    }

    private static Bytes text(ByteArrayOutputStream line) {
        byte[] bytes = line.toByteArray();
        boolean hasReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        return Bytes.wrap(hasReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes);
    }
}
