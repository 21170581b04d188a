package io.taskmaster.harness.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The AOT cache of a server's start, which the build creates for the processes of tests: they take half of the
 * processor time to start. The system property {@value #PROPERTY} names its folder. Immutable.
 *
 * <p>A cache is valid for class paths that begin with its own. A JVM that cannot use it ignores it.
 *
 * @param file the cache
 * @param classPath its class path: the jars of the commands and of a server on RocksDB
 */
record AotCache(Path file, String classPath) {

    static final String PROPERTY = "taskmaster.aot";

    /** Returns the cache of this process; empty if the build has made none. */
    static Optional<AotCache> present() {
        String folder = System.getProperty(PROPERTY, "");
        return folder.isEmpty() ? Optional.empty() : in(Path.of(folder));
    }

    /** Returns the cache in a folder; empty if there is none, or if it is that of another Java. */
    static Optional<AotCache> in(Path folder) {
        Path file = folder.resolve("server.aot");
        try {
            return Files.exists(file) && isOfOurJava(folder.resolve("java"))
                    ? Optional.of(new AotCache(file, Files.readString(folder.resolve("class-path"), UTF_8)))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfOurJava(Path named) throws IOException {
        Path java = Path.of(Files.readString(named, UTF_8));
        return Files.exists(java) && Files.isSameFile(java, Path.of(System.getProperty("java.home")));
    }

    /** Returns the flags of a JVM that uses it, and says nothing if it cannot. */
    List<String> flags() {
        return List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off", "-Xlog:cds*=off");
    }

    /** Returns a class path that begins with that of the cache. */
    String before(String others) {
        return classPath + File.pathSeparator + others;
    }
}
