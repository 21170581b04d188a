package io.taskmaster.harness.process;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan for the start of a {@link ServerProcess}. Immutable.
 *
 * @param folder the folder of its data and its log
 * @param store the kind of its store
 * @param settings its settings by key, as {@code --set} takes them
 * @param flags the flags of its JVM
 * @param patch classes that it loads before its own of the same name: to plant a bug, and see that tests find it
 * @param environment variables, in addition to those of this process
 */
public record ServerPlan(
        Path folder,
        String store,
        Map<String, String> settings,
        List<String> flags,
        Optional<Path> patch,
        Map<String, String> environment) {

    private static final String PRELOAD = "LD_PRELOAD";
    private static final List<String> SMALL = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    private static final String MAIN_CLASS = "io.taskmaster.cli.Main";

    public ServerPlan {
        settings = Map.copyOf(settings);
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /**
     * Returns a plan with RocksDB, default settings, a small heap, and only the first compiler of the JVM, for a fast
     * start.
     */
    public static ServerPlan in(Path folder) {
        return new ServerPlan(
                folder,
                "rocksdb",
                Map.of(),
                Stream.concat(SMALL.stream(), Stream.of("-XX:TieredStopAtLevel=1"))
                        .toList(),
                Optional.empty(),
                Map.of());
    }

    /** Returns this plan with both compilers of the JVM: for servers that are measured, or live long. */
    public ServerPlan withBothCompilers() {
        return withFlags(SMALL);
    }

    /** Returns this plan with another store. */
    public ServerPlan withStore(String kind) {
        return new ServerPlan(folder, kind, settings, flags, patch, environment);
    }

    /** Returns this plan with an additional setting. */
    public ServerPlan with(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(key, value);
        return new ServerPlan(folder, store, all, flags, patch, environment);
    }

    /** Returns this plan with exactly these flags for its JVM. */
    public ServerPlan withFlags(List<String> others) {
        return new ServerPlan(folder, store, settings, others, patch, environment);
    }

    /** Returns this plan with classes that precede its own of the same name. */
    public ServerPlan withPatch(Path classes) {
        return new ServerPlan(folder, store, settings, flags, Optional.of(classes), environment);
    }

    /**
     * Returns this plan with a library that its process loads before those of the system, and before those given so
     * far.
     *
     * @param variables additional variables of its environment, for the library
     */
    public ServerPlan withPreloaded(Path library, Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        all.merge(PRELOAD, library.toString(), (others, first) -> first + ":" + others);
        return new ServerPlan(folder, store, settings, flags, patch, all);
    }

    /** Returns the folder of its data. */
    public Path data() {
        return folder.resolve("data");
    }

    /** Returns the file of its output, to which every start appends. */
    public Path log() {
        return folder.resolve("server.log");
    }

    JvmCommand command(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        List<String> arguments = new ArrayList<>(List.of(
                "server",
                "--store=" + store,
                "--data=" + data(),
                "--listen=" + host + ":" + address.getPort(),
                "--http=" + host + ":0"));
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        JvmCommand command =
                JvmCommand.of(MAIN_CLASS, arguments).withFlags(flags).withEnvironment(environment);
        return patch.map(command::withClassesFirst).orElse(command);
    }
}
