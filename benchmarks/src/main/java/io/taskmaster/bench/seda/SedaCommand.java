package io.taskmaster.bench.seda;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code bench seda}, which runs experiments and prints their results as Markdown. */
@Command(
        name = "seda",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the experiments of the SEDA paper on local stages: controllers, overload, isolation, sockets.",
            "Prints Markdown with plots. It needs no server. Each experiment takes minutes."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster bench seda", "  taskmaster bench seda overload --seconds 60"})
public final class SedaCommand implements Callable<Integer> {

    private enum Name {
        ROUTER,
        BATCHING,
        OVERLOAD,
        ADAPTIVE,
        WAKEUP,
        ISOLATION,
        SOCKETS;

        private Experiment experiment() {
            return switch (this) {
                case ROUTER -> new PacketRouter();
                case BATCHING -> new BatchSize();
                case OVERLOAD -> new Overload();
                case ADAPTIVE -> new Adaptive();
                case WAKEUP -> new WakeUp();
                case ISOLATION -> new Isolation();
                case SOCKETS -> SocketScale.ofThePaper();
            };
        }
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "EXPERIMENT", description = "Experiment (default: all): ${COMPLETION-CANDIDATES}.")
    private List<Name> names = new ArrayList<>();

    @Option(
            names = "--seconds",
            defaultValue = "20",
            paramLabel = "N",
            description = "Measured time of each run, in seconds (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        if (seconds < 1) {
            throw new ParameterException(
                    command.commandLine(), "--seconds: %d (expected: 1 or more)".formatted(seconds));
        }
        PrintWriter out = command.commandLine().getOut();
        for (Name name : names.isEmpty() ? List.of(Name.values()) : names) {
            out.println(name.experiment().run(Duration.ofSeconds(seconds)));
            out.flush();
        }
        return 0;
    }
}
