package io.taskmaster.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar whose entries contain their own names. */
final class TestJar {

    private TestJar() {}

    static void write(Path jar, String... entries) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                out.write(entry.getBytes(UTF_8));
                out.closeEntry();
            }
        }
    }
}
