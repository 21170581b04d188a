package io.taskmaster.examples.demo.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The folder of a demo's persistent data. Immutable. */
public record DemoFolder(Path root) {

    public DemoFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** The data folder of the TaskMaster server that the demo starts. */
    public Path data() {
        return root.resolve("data");
    }

    /** Returns a folder or file of the demo's own. */
    public Path own(String name) {
        return root.resolve(name);
    }

    /** Returns a file that exists only while the demo runs. */
    public Path passing(String name) {
        return root.resolve("run").resolve(name);
    }

    /** Returns the log of a child process. */
    Path log(String process) {
        return root.resolve("log").resolve(process + ".log");
    }

    /** Returns the file with the id of a child process, while that runs. */
    Path pid(String process) {
        return passing(process + ".pid");
    }

    public void create() throws IOException {
        Files.createDirectories(root.resolve("log"));
        Files.createDirectories(root.resolve("run"));
    }

    /** Deletes a folder or file of the demo's own, if it exists. */
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
