package io.taskmaster.examples.conversion.worker;

import io.taskmaster.examples.conversion.converter.ConverterPool;
import io.taskmaster.examples.conversion.stage.Backoff;
import io.taskmaster.examples.conversion.stage.ConversionPipeline;
import io.taskmaster.examples.demo.WorkerOptions;
import io.taskmaster.stage.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command of a worker process with its converters. */
@Command(name = "worker", hidden = true, description = "One worker process of the demo; started by the demo itself.")
public final class ConversionWorkerCommand implements Callable<Integer> {

    /**
     * The back-off policy: five failures, the last of them three seconds after the first, so that the demo ends soon.
     */
    public static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), 5);

    @Mixin
    private WorkerOptions worker = new WorkerOptions();

    @Option(names = "--uploads", required = true, description = "The folder of the documents.")
    private Path uploads = Path.of("");

    @Option(names = "--converted", required = true, description = "The folder of what comes of them.")
    private Path converted = Path.of("");

    @Option(names = "--rate", required = true, description = "New documents a second.")
    private double rate = 1;

    @Option(names = "--converters", required = true)
    private int converters = 1;

    @Override
    public Integer call() {
        try (ConverterPool pool = new ConverterPool(converters)) {
            FileConverter files = new FileConverter(uploads, converted, pool);
            return worker.work(_ ->
                    ConversionPipeline.of(files, BACKOFF, InstantSource.system(), converters, Rate.perSecond(rate)));
        }
    }
}
