package io.taskmaster.testkit.hbase;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where everything of a development HBase is. Immutable.
 *
 * @param root the folder
 */
record HBaseFolder(Path root) {

    /** Makes it, and those in it. */
    void create() throws IOException {
        for (Path folder :
                List.of(conf(), run(), logs(), temporary(), nameNodeData(), dataNodeData(), zookeeperData())) {
            Files.createDirectories(folder);
        }
    }

    /** Site files, on the class path of all processes. */
    Path conf() {
        return root.resolve("conf");
    }

    /** Process ids, and what each process was started with. */
    Path run() {
        return root.resolve("run");
    }

    Path logs() {
        return root.resolve("logs");
    }

    /** What a process prints. */
    Path log(String name) {
        return logs().resolve(name + ".log");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path nameNodeData() {
        return root.resolve("data").resolve("namenode");
    }

    Path dataNodeData() {
        return root.resolve("data").resolve("datanode");
    }

    Path zookeeperData() {
        return root.resolve("data").resolve("zookeeper");
    }

    /** Is there once the file system in it has been made completely. */
    Path formatted() {
        return root.resolve("data").resolve("formatted");
    }

    /** Who listens where; and that this is a folder of ours. */
    Path ports() {
        return root.resolve("ports.properties");
    }

    /** Held by a command that changes what runs. */
    Path lock() {
        return root.resolve("lock");
    }

    /** Whether somebody has begun an HBase here. */
    boolean isBegun() {
        return Files.exists(ports());
    }

    /** Whether there is nothing of somebody else. */
    boolean isUsable() throws IOException {
        if (isBegun() || !Files.exists(root)) {
            return true;
        }
        try (Stream<Path> files = Files.list(root)) {
            return files.allMatch(lock()::equals);
        }
    }

    /** Deletes it with all that is in it. */
    void delete() throws IOException {
        MoreFiles.deleteRecursively(root, RecursiveDeleteOption.ALLOW_INSECURE);
    }
}
