package io.taskmaster.examples.conversion.converter;

import io.taskmaster.examples.conversion.stage.ConversionFailedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;

/**
 * A pool of converters, each with one document at a time, which bounds the conversions that run at once. Thread-safe.
 */
public final class ConverterPool implements AutoCloseable {

    private final List<ConverterProcess> all;
    private final BlockingQueue<ConverterProcess> idle;

    public ConverterPool(int converters) {
        all = Stream.generate(ConverterProcess::new).limit(converters).toList();
        idle = new ArrayBlockingQueue<>(converters, false, all);
    }

    /** Converts a document as soon as a converter is free. Blocks. */
    public String convert(ConverterRequest request)
            throws ConversionFailedException, IOException, InterruptedException {
        ConverterProcess converter = idle.take();
        try {
            return converter.convert(request);
        } finally {
            idle.add(converter);
        }
    }

    /** Ends all converters; conversions in progress are lost. */
    @Override
    public void close() {
        all.forEach(ConverterProcess::close);
    }
}
