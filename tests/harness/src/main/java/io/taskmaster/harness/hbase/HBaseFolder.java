package io.taskmaster.harness.hbase;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a development HBase, with all its files. Immutable.
 *
 * @param root the folder
 */
record HBaseFolder(Path root) {

    /** Creates the folder, and those in it. */
    void create() throws IOException {
        for (Path folder :
                List.of(conf(), run(), logs(), temporary(), nameNodeData(), dataNodeData(), zookeeperData())) {
            Files.createDirectories(folder);
        }
    }

    /** Returns the folder of site files, on the class path of all processes. */
    Path conf() {
        return root.resolve("conf");
    }

    /** Returns the folder of process ids, and of the arguments of each process. */
    Path run() {
        return root.resolve("run");
    }

    Path logs() {
        return root.resolve("logs");
    }

    /** Returns the file of a process's output. */
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

    /** Returns a marker file that exists once the file system in the folder has been formatted completely. */
    Path formatted() {
        return root.resolve("data").resolve("formatted");
    }

    /** Returns the file of ports. It also marks the folder as one of an HBase. */
    Path ports() {
        return root.resolve("ports.properties");
    }

    /** Returns the file that a command locks while it changes what runs. */
    Path lock() {
        return root.resolve("lock");
    }

    /** Returns whether an HBase was begun here. */
    boolean isBegun() {
        return Files.exists(ports());
    }

    /** Returns whether the folder has no foreign files. */
    boolean isUsable() throws IOException {
        if (isBegun() || !Files.exists(root)) {
            return true;
        }
        try (Stream<Path> files = Files.list(root)) {
            return files.allMatch(lock()::equals);
        }
    }

    /** Deletes the folder with its contents. */
    void delete() throws IOException {
        MoreFiles.deleteRecursively(root, RecursiveDeleteOption.ALLOW_INSECURE);
    }
}
