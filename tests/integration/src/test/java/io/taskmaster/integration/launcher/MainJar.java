package io.taskmaster.integration.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** A jar whose only class has the name of the launcher's main class, and prints its arguments. */
final class MainJar {

    private static final String SOURCE = """
            package io.taskmaster.cli;

            public final class Main {
                public static void main(String[] args) {
                    System.out.println("started with " + String.join(" ", args));
                }
            }
            """;

    private MainJar() {}

    static void write(Path jar) throws IOException {
        Path folder = Files.createDirectories(jar.resolveSibling("classes"));
        Path source = Files.writeString(folder.resolve("Main.java"), SOURCE);
        int status =
                ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", folder.toString(), source.toString());
        if (status != 0) {
            throw new AssertionError("does not compile: " + source);
        }
        String entry = "io/taskmaster/cli/Main.class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(entry));
            out.write(Files.readAllBytes(folder.resolve(entry)));
            out.closeEntry();
        }
    }
}
