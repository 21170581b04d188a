package io.taskmaster.examples.conversion.stage;

import java.io.IOException;

/** A converter of documents, which also stores the results. Thread-safe. */
@FunctionalInterface
public interface DocumentConverter {

    /**
     * Converts a document. Idempotent: a repetition has the same result. Blocks.
     *
     * @param failures the number of consecutive failures of this document before
     * @throws ConversionFailedException if the conversion fails, for whatever reason
     * @throws IOException if the document cannot be read, or the result cannot be written
     */
    void convert(String document, int failures) throws ConversionFailedException, IOException, InterruptedException;
}
