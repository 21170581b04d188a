package io.taskmaster.examples.demo;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.demo.process.DemoException;
import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.examples.demo.process.DemoStore;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that all demos have, and the run of a demo with them. */
public final class DemoOptions {

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "Where the demo keeps its data (default: ./${DEFAULT-VALUE}).")
    private Path folder;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "A server to use; by default the demo starts its own.")
    private @Nullable String server;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Where its own server keeps its data: rocksdb, or hbase (default: ${DEFAULT-VALUE}).")
    private StoreName store = StoreName.ROCKSDB;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:2181",
            description =
                    "With --store hbase, where that is (default: ${DEFAULT-VALUE}, as of `taskmaster hbase start`).")
    private String zookeeper = "127.0.0.1:2181";

    @Option(names = "--fresh", description = "Forget what earlier runs did.")
    private boolean fresh;

    private final Class<?> program;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /**
     * Creates the options.
     *
     * @param folder the default folder
     * @param program the main class of the processes that the demo starts
     */
    public DemoOptions(String folder, Class<?> program) {
        this.folder = Path.of(folder);
        this.program = program;
    }

    public DemoFolder folder() {
        return new DemoFolder(folder);
    }

    public PrintWriter out() {
        return command().commandLine().getOut();
    }

    public PrintWriter err() {
        return command().commandLine().getErr();
    }

    /** Returns the command that has these options. */
    public CommandSpec command() {
        if (command == null) {
            throw new IllegalStateException("command: null (expected: set by picocli)");
        }
        return command;
    }

    /** Runs a demo to its end, or until this process receives a signal to end. Returns the exit status. Blocks. */
    public int run(Demo.Opener opener) throws IOException, InterruptedException {
        DemoPlan plan = new DemoPlan(folder(), program, Optional.ofNullable(server), store(), fresh);
        DemoRun run = new DemoRun(plan, out(), onTerminal());
        Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop"));
        try {
            run.run(opener);
            return 0;
        } catch (DemoException | TaskMasterException e) {
            if (!run.isStopped()) {
                err().println("demo: " + e.getMessage());
            }
            return 1;
        }
    }

    private DemoStore store() {
        return switch (store) {
            case ROCKSDB -> new DemoStore.Embedded(folder().data());
            case HBASE -> new DemoStore.HBase(zookeeper);
        };
    }

    private static boolean onTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
