package io.taskmaster.tests;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The beginning of the command line of a Java program that a test starts: the JVM of the test, with flags for a life of
 * seconds. Most of the processor time of such a program goes into its start, so it has only the first compiler and a
 * collector without threads of its own. In the profile {@code slow} figures are judged, and it runs as it does
 * elsewhere.
 */
public final class JavaProgram {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private JavaProgram() {}

    /** Returns the path of the JVM and its flags, with further ones at the end; the class path is up to the caller. */
    public static List<String> withFlags(String... flags) {
        List<String> command = new ArrayList<>(List.of(
                JAVA.toString(), "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        if (!Profile.isSlow()) {
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        command.addAll(List.of(flags));
        return List.copyOf(command);
    }

    /** Returns the same, with the class path of the test at the end. */
    public static List<String> onClassPath(String... flags) {
        List<String> command = new ArrayList<>(withFlags(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return List.copyOf(command);
    }
}
