package io.taskmaster.examples.crawl.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where the demo keeps what it must find again. Immutable. */
public record DemoFolder(Path root) {

    public DemoFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** The data of the TaskMaster server that the demo starts. */
    public Path data() {
        return root.resolve("data");
    }

    /** The Lucene index. */
    public Path index() {
        return root.resolve("index");
    }

    /** One log per child process. */
    Path log(String process) {
        return root.resolve("log").resolve(process + ".log");
    }

    /** The id of each child process, while it runs. */
    Path pid(String process) {
        return root.resolve("run").resolve(process + ".pid");
    }

    /** The site, while it is served. */
    Path site() {
        return root.resolve("run").resolve("site.zip");
    }

    void create() throws IOException {
        Files.createDirectories(root.resolve("log"));
        Files.createDirectories(root.resolve("run"));
    }

    void deleteIndex() throws IOException {
        if (!Files.exists(index())) {
            return;
        }
        try (Stream<Path> files = Files.walk(index())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
