package io.taskmaster.conformance;

import io.taskmaster.cli.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server on HBase for suites that identify servers by their data folder: each folder has tables of its own. */
final class HBaseServer {

    private HBaseServer() {}

    /**
     * Starts the server.
     *
     * @param arguments the address of ZooKeeper, followed by the arguments of {@code taskmaster server}
     */
    public static void main(String[] arguments) {
        List<String> given = List.of(arguments).subList(1, arguments.length);
        List<String> all = new ArrayList<>(List.of(
                "server",
                "--store=hbase",
                "--zookeeper=" + arguments[0],
                "--set=hbase.regions=1",
                "--set=hbase.table-prefix=" + tablePrefix(Path.of(given.get(given.indexOf("--data") + 1)))));
        all.addAll(given);
        Main.main(all.toArray(String[]::new));
    }

    private static String tablePrefix(Path data) {
        return "s%08x.".formatted(data.toAbsolutePath().normalize().hashCode());
    }
}
