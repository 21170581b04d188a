package io.taskmaster.harness.hbase.cli;

import io.taskmaster.harness.hbase.HBaseDaemons;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** An option for the folder of an HBase. */
final class FolderOption {

    @Option(
            names = "--data",
            defaultValue = "hbase-data",
            paramLabel = "DIR",
            description = "Folder of its data, logs, settings and process ids (default: ./${DEFAULT-VALUE}).")
    private Path folder = Path.of("hbase-data");

    Path folder() {
        return folder;
    }

    HBaseDaemons daemons() {
        return HBaseDaemons.in(folder);
    }
}
