package io.taskmaster.examples.adsquality;

import io.taskmaster.examples.adsquality.run.AdsQualityDemo;
import io.taskmaster.examples.adsquality.worker.AdsQualityWorkerCommand;
import io.taskmaster.examples.demo.DemoOptions;
import io.taskmaster.examples.demo.DemoPace;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code taskmaster demo ads-quality}. */
@Command(
        name = "ads-quality",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the quality of ads in phases, each of which waits for a drained pipeline.",
            "Any process may be killed at any time; the same command continues an interrupted measurement. See"
                    + " docs/demo-ads-quality.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster demo ads-quality", "  taskmaster demo ads-quality --pace 80 --fresh"},
        subcommands = AdsQualityWorkerCommand.class)
final class AdsQualityCommand implements Callable<Integer> {

    private static final int MOST_PROCESSES = 64;

    @Mixin
    private DemoOptions demo;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of worker processes (default: ${DEFAULT-VALUE}).")
    private int workers = 2;

    @Option(
            names = "--pace",
            paramLabel = "N",
            description = "Maximum number of queries issued per second, 0.001 or more; 0: no limit (default: 8).")
    private double pace = 8;

    AdsQualityCommand(Class<?> program) {
        demo = new DemoOptions("demo/ads-quality", program);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (workers < 1 || workers > MOST_PROCESSES) {
            throw refusal("--workers: %d (expected: 1 to %d)".formatted(workers, MOST_PROCESSES));
        }
        DemoPace limit = demo.pace(pace);
        return demo.run(() -> AdsQualityDemo.open(demo.folder(), workers, limit));
    }

    private ParameterException refusal(String message) {
        return new ParameterException(demo.command().commandLine(), message);
    }
}
