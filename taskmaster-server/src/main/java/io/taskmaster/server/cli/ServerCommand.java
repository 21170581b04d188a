package io.taskmaster.server.cli;

import io.taskmaster.cli.common.VersionLine;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.NodeFactory;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.NodeSetting;
import io.taskmaster.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster server}. It ends after a signal: then it drains, and the exit status reports whether
 * that succeeded. It also ends when another node has taken over its data, or the store failed for good.
 */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = {
            "Runs a server until SIGTERM or SIGINT, then drains.",
            "Clients connect to port 7400, browsers to http://127.0.0.1:7480/."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  taskmaster server --data ./data",
            "  taskmaster server --store memory --set partitions=1",
            "  taskmaster server --config server.properties --listen 0.0.0.0:7400"
        })
final class ServerCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

    private final NodeFactory nodes;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in a .properties file.")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description = "Store: rocksdb, memory, hbase or bigtable (default: rocksdb).")
    private Optional<String> store = Optional.empty();

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the data (default: ./data).")
    private Optional<String> data = Optional.empty();

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT",
            description = "ZooKeeper of HBase (default: as in hbase-site.xml).")
    private Optional<String> zookeeper = Optional.empty();

    @Option(names = "--take-over", description = "Take over data from another node, even if it seems to be alive.")
    private boolean takeOver;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address of the gRPC port (default: 127.0.0.1:7400).")
    private Optional<String> listen = Optional.empty();

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Address of the HTTP port (default: 127.0.0.1:7480).")
    private Optional<String> http = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Setting, overriding the file; repeatable. docs/configuration.md lists all.")
    private Map<String, String> settings = new LinkedHashMap<>();

    ServerCommand(NodeFactory nodes) {
        this.nodes = nodes;
    }

    @Override
    public Integer call() throws StartException {
        ServerConfig settled = settle();
        OutOfMemory memory = OutOfMemory.watch();
        Logs.forServer(settled.process().logFormat(), memory::met);
        quietStores();
        Umask.restrictToOwner();
        TaskMasterServer server = TaskMasterServer.start(settled, nodes);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server), "drain"));
        // Usually never returns: after a signal, the shutdown hook ends the JVM.
        Throwable reason = server.lost().join();
        LOG.error("{}: this server can neither answer nor write any more, and ends", reason.getMessage());
        return Nodes.statusOf(reason).code();
    }

    /** Quiets the client libraries of stores: they warn of failures that the server handles and reports itself. */
    private static void quietStores() {
        Logs.errorsOnly("org.apache.hadoop");
        Logs.errorsOnly("org.apache.zookeeper");
        Logs.errorsOnly("com.google.bigtable.repackaged");
        // It complains of each table handle that becomes garbage, but handles have nothing to close.
        Logs.silence("com.google.bigtable.repackaged.com.google.api.gax.batching.BatcherImpl");
    }

    private ServerConfig settle() {
        var reader = ServerConfig.reader(Runtime.getRuntime().maxMemory());
        config.ifPresent(reader::file);
        settings.forEach(reader::set);
        store.ifPresent(value -> reader.set(NodeSetting.STORE.key(), value));
        data.ifPresent(value -> reader.set(NodeSetting.DATA.key(), value));
        zookeeper.ifPresent(value -> reader.set(NodeSetting.HBASE_ZOOKEEPER.key(), value));
        if (takeOver) {
            reader.set(NodeSetting.NODE_TAKE_OVER.key(), "true");
        }
        listen.ifPresent(value -> reader.set(PortSetting.LISTEN.key(), value));
        http.ifPresent(value -> reader.set(PortSetting.HTTP.key(), value));
        return reader.read();
    }

    /**
     * Drains and halts. After a signal, a JVM exits with the signal's status whatever the hooks do; only halting sets
     * another one.
     */
    private static void drain(TaskMasterServer server) {
        boolean clean = server.stop();
        ExitStatus status = server.lost().isDone()
                ? Nodes.statusOf(server.lost().join())
                : clean ? ExitStatus.OK : ExitStatus.FAILURE;
        Logs.stop();
        Runtime.getRuntime().halt(status.code());
    }
}
