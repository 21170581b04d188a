package io.taskmaster.testkit.process;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a {@link ServerProcess} is started. Immutable.
 *
 * @param folder for its data and its log
 * @param store its kind
 * @param settings by key, as {@code --set} takes them
 * @param flags for its JVM
 * @param patch classes that it loads before its own of the same name: to plant a bug, and see that tests find it
 * @param environment variables, beyond our own
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
    private static final String MAIN_CLASS = "io.taskmaster.server.cli.Main";

    public ServerPlan {
        settings = Map.copyOf(settings);
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /** A server on RocksDB with default settings, a small heap, and the first compiler of the JVM only, so that it starts fast. */
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

    /** The same with both compilers of the JVM: for servers that are measured, or live for long. */
    public ServerPlan withBothCompilers() {
        return withFlags(SMALL);
    }

    /** The same with another store. */
    public ServerPlan withStore(String kind) {
        return new ServerPlan(folder, kind, settings, flags, patch, environment);
    }

    /** The same with a setting more. */
    public ServerPlan with(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(key, value);
        return new ServerPlan(folder, store, all, flags, patch, environment);
    }

    /** The same with these flags, and no others, for its JVM. */
    public ServerPlan withFlags(List<String> others) {
        return new ServerPlan(folder, store, settings, others, patch, environment);
    }

    /** The same with classes that come before its own of the same name. */
    public ServerPlan withPatch(Path classes) {
        return new ServerPlan(folder, store, settings, flags, Optional.of(classes), environment);
    }

    /**
     * The same with a library that its process loads before those of the system, and that comes before those given so far.
     *
     * @param variables of its environment, beyond what there are, for the library
     */
    public ServerPlan withPreloaded(Path library, Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        all.merge(PRELOAD, library.toString(), (others, first) -> first + ":" + others);
        return new ServerPlan(folder, store, settings, flags, patch, all);
    }

    /** Where it keeps its data. */
    public Path data() {
        return folder.resolve("data");
    }

    /** Where its output goes, that of every start after that of the one before. */
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
