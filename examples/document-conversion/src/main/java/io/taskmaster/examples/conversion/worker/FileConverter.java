package io.taskmaster.examples.conversion.worker;

import io.taskmaster.examples.conversion.converter.ConverterPool;
import io.taskmaster.examples.conversion.converter.ConverterRequest;
import io.taskmaster.examples.conversion.stage.ConversionFailedException;
import io.taskmaster.examples.conversion.stage.DocumentConverter;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.files.FileWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A converter of files from one folder into another. A result is a whole file or none. Thread-safe. */
final class FileConverter implements DocumentConverter {

    private final Path uploads;
    private final Path converted;
    private final ConverterPool pool;

    FileConverter(Path uploads, Path converted, ConverterPool pool) {
        this.uploads = uploads;
        this.converted = converted;
        this.pool = pool;
    }

    @Override
    public void convert(String document, int failures)
            throws ConversionFailedException, IOException, InterruptedException {
        Bytes html = Bytes.wrap(Files.readAllBytes(uploads.resolve(document)));
        String markdown = pool.convert(new ConverterRequest(document, failures, html));
        Files.createDirectories(converted);
        // Two workers may write the same file, if one was taken for dead: each writes a temporary file of its own.
        FileWrite.replace(converted.resolve(document + ".md"), Bytes.of(markdown))
                .run();
    }
}
