package io.taskmaster.examples.adsquality.worker;

import io.taskmaster.examples.adsquality.stage.AdsQualityPipeline;
import io.taskmaster.examples.adsquality.stage.Repositories;
import io.taskmaster.examples.demo.WorkerOptions;
import io.taskmaster.stage.Rate;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command of a worker process, which coordinates or works. */
@Command(name = "worker", hidden = true, description = "One worker process of the demo; started by the demo itself.")
public final class AdsQualityWorkerCommand implements Callable<Integer> {

    @Mixin
    private WorkerOptions worker = new WorkerOptions();

    @Option(names = "--role", required = true)
    private WorkerRole role = WorkerRole.WORKER;

    @Option(names = "--ads", required = true, description = "Where the ad server is.")
    private URI adServer = URI.create("");

    @Option(names = "--rate", required = true, description = "Queries a second.")
    private double rate = 1;

    @Option(names = "--reports", required = true, description = "The folder of the results.")
    private Path reports = Path.of("");

    @Override
    public Integer call() {
        Repositories repositories = new Repositories(reports);
        return worker.work(
                client -> AdsQualityPipeline.of(client.blocking(), adServer, Rate.perSecond(rate), repositories)
                        .only(role.stages()));
    }
}
