package io.taskmaster.examples.demo;

import io.taskmaster.cli.common.ServerAddress;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.demo.process.DemoException;
import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.examples.demo.process.DemoStore;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all demos have, and the run of a demo with them. */
public final class DemoOptions {

    private static final String DEFAULT_ZOOKEEPER = "127.0.0.1:2181";

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "Folder of the data of the demo (default: ./${DEFAULT-VALUE}).")
    private Path folder;

    @Option(
            names = "--server",
            paramLabel = "HOST[:PORT]",
            description = "Server to use, on port 7400 if none is given (default: the demo starts its own).")
    private @Nullable String server;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Store of its own server: rocksdb or hbase (default: ${DEFAULT-VALUE}).")
    private StoreName store = StoreName.ROCKSDB;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT",
            defaultValue = DEFAULT_ZOOKEEPER,
            description =
                    "ZooKeeper of HBase, with --store hbase (default: ${DEFAULT-VALUE}, as of taskmaster hbase start).")
    private String zookeeper = DEFAULT_ZOOKEEPER;

    @Option(names = "--fresh", description = "Delete the data of earlier runs first.")
    private boolean fresh;

    @Option(
            names = "--keep",
            description =
                    "After the end, keep running what this run has started: its server and workers. Ctrl-C ends them.")
    private boolean keep;

    private final Class<?> program;
    private final Path defaultFolder;

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
        this.defaultFolder = this.folder;
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

    /** Returns a pace, or refuses the option {@code --pace}. */
    public DemoPace pace(double perSecond) {
        try {
            return new DemoPace(perSecond);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command().commandLine(), String.valueOf(e.getMessage()), e);
        }
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
        Optional<String> address = Optional.ofNullable(server).map(text -> ServerAddress.parse("--server", text));
        DemoPlan plan = new DemoPlan(folder(), program, address, store(), fresh, keep, launcher(), again());
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

    /** Returns the command of the shell that runs this demo again in its folder, on the same server or store. */
    public String again() {
        var words = new StringBuilder(launcher());
        words.append(' ').append(command().qualifiedName().replaceFirst("^taskmaster ", ""));
        if (!folder.equals(defaultFolder)) {
            append(words, "--dir", folder.toString());
        }
        if (server != null) {
            append(words, "--server", server);
        } else if (store != StoreName.ROCKSDB) {
            append(words, "--store", store.toString());
            if (!zookeeper.equals(DEFAULT_ZOOKEEPER)) {
                append(words, "--zookeeper", zookeeper);
            }
        }
        return words.toString();
    }

    private static void append(StringBuilder words, String option, String value) {
        words.append(' ').append(option).append(' ').append(ShellWord.of(value));
    }

    /** Returns the command that starts {@code taskmaster}, seen from the working folder. */
    private static String launcher() {
        return Stream.of("taskmaster", "bin/taskmaster")
                .filter(path -> Files.isExecutable(Path.of(path)) && Files.isRegularFile(Path.of(path)))
                .findFirst()
                .map(path -> "./" + path)
                .orElse("taskmaster");
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
