package io.taskmaster.examples.demo.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where a demo keeps what it must find again. Immutable. */
public record DemoFolder(Path root) {

    public DemoFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** The data of the TaskMaster server that the demo starts. */
    public Path data() {
        return root.resolve("data");
    }

    /** Something of the demo's own. */
    public Path own(String name) {
        return root.resolve(name);
    }

    /** A file that is only there while the demo runs. */
    public Path passing(String name) {
        return root.resolve("run").resolve(name);
    }

    /** One log per child process. */
    Path log(String process) {
        return root.resolve("log").resolve(process + ".log");
    }

    /** The id of each child process, while it runs. */
    Path pid(String process) {
        return passing(process + ".pid");
    }

    public void create() throws IOException {
        Files.createDirectories(root.resolve("log"));
        Files.createDirectories(root.resolve("run"));
    }

    /** Deletes something of the demo's own, if it is there. */
    public void delete(String name) throws IOException {
        if (!Files.exists(own(name))) {
            return;
        }
        try (Stream<Path> files = Files.walk(own(name))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
