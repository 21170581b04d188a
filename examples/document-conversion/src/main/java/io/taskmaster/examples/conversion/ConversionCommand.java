package io.taskmaster.examples.conversion;

import io.taskmaster.examples.conversion.run.ConversionDemo;
import io.taskmaster.examples.conversion.worker.ConversionWorkerCommand;
import io.taskmaster.examples.demo.DemoOptions;
import io.taskmaster.examples.demo.DemoPace;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code taskmaster demo conversion}. */
@Command(
        name = "conversion",
        mixinStandardHelpOptions = true,
        description = {
            "Converts documents with converters that fail and crash, through backoff queues.",
            "The PIDs of the backoff queues are due times. Any process may be killed at any time; the same command"
                    + " continues an interrupted conversion. See docs/demo-conversion.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster demo conversion", "  taskmaster demo conversion --documents 50 --pace 0"},
        subcommands = ConversionWorkerCommand.class)
final class ConversionCommand implements Callable<Integer> {

    private static final int MOST_DOCUMENTS = 500;
    private static final int MOST_PROCESSES = 64;

    @Mixin
    private DemoOptions demo;

    @Option(
            names = "--documents",
            paramLabel = "N",
            description = "Number of documents, besides one that crashes converters (default: ${DEFAULT-VALUE}).")
    private int documents = 200;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of worker processes (default: ${DEFAULT-VALUE}).")
    private int workers = 2;

    @Option(
            names = "--converters",
            paramLabel = "N",
            description = "Number of converter processes of each worker (default: ${DEFAULT-VALUE}).")
    private int converters = 2;

    @Option(
            names = "--pace",
            paramLabel = "N",
            description = "Maximum number of new documents per second, 0.001 or more; 0: no limit (default: 4).")
    private double pace = 4;

    ConversionCommand(Class<?> program) {
        demo = new DemoOptions("demo/conversion", program);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--documents", documents, MOST_DOCUMENTS);
        check("--workers", workers, MOST_PROCESSES);
        check("--converters", converters, MOST_PROCESSES);
        DemoPace limit = demo.pace(pace);
        return demo.run(() -> new ConversionDemo(demo.folder(), documents, workers, converters, limit));
    }

    private void check(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    demo.command().commandLine(), "%s: %d (expected: 1 to %d)".formatted(option, value, most));
        }
    }
}
