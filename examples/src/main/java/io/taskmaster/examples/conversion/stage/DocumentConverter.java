package io.taskmaster.examples.conversion.stage;

import java.io.IOException;

/** Converts documents, and puts what comes of it where it belongs. Thread-safe. */
@FunctionalInterface
public interface DocumentConverter {

    /**
     * Converts a document. May be done again, then with the same result. Blocks.
     *
     * @param failures of this document before, in a row
     * @throws ConversionFailedException if it fails, for whatever reason
     * @throws IOException if the document cannot be read, or the result not be written
     */
    void convert(String document, int failures) throws ConversionFailedException, IOException, InterruptedException;
}
