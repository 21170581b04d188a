package io.taskmaster.examples.adsquality;

import io.taskmaster.examples.adsquality.run.AdsQualityDemo;
import io.taskmaster.examples.adsquality.worker.AdsQualityWorkerCommand;
import io.taskmaster.examples.demo.DemoOptions;
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
            "Measures the quality of ads, in phases: each begins when the pipeline of the previous one has drained.",
            "Kill any process at any time; the same command resumes the run. See docs/demo-ads-quality.md."
        },
        subcommands = AdsQualityWorkerCommand.class)
final class AdsQualityCommand implements Callable<Integer> {

    private static final int MOST_PROCESSES = 64;
    private static final double MOST_A_SECOND = 1e6;

    @Mixin
    private DemoOptions demo;

    @Option(names = "--workers", paramLabel = "N", description = "Number of worker processes (default: ${DEFAULT-VALUE}).")
    private int workers = 2;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Queries per second of each worker (default: ${DEFAULT-VALUE}).")
    private double rate = 40;

    AdsQualityCommand(Class<?> program) {
        demo = new DemoOptions("demo/ads-quality", program);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (workers < 1 || workers > MOST_PROCESSES) {
            throw refusal("--workers: %d (expected: 1 to %d)".formatted(workers, MOST_PROCESSES));
        }
        if (!(rate > 0 && rate <= MOST_A_SECOND)) {
            throw refusal("--rate: %s (expected: more than 0, at most %s)".formatted(rate, MOST_A_SECOND));
        }
        return demo.run(() -> AdsQualityDemo.open(demo.folder(), workers, rate));
    }

    private ParameterException refusal(String message) {
        return new ParameterException(demo.command().commandLine(), message);
    }
}
