package io.taskmaster.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;

/**
 * A program that removes the native libraries of other platforms from a jar. RocksDB's jar has one for each of fifteen
 * platforms, 17 MB each.
 */
public final class SlimJar {

    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib)");

    private SlimJar() {}

    /**
     * Runs the program.
     *
     * @param args the jar, which is replaced, and the name of the native library that stays
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: " + args.length + " (expected: JAR LIBRARY)");
        }
        slim(Path.of(args[0]), args[1]);
    }

    /**
     * Removes all native libraries but one from a jar. Fails, and changes nothing, if the jar does not have that one.
     */
    static void slim(Path jar, String library) throws IOException {
        Path slim = Files.createTempFile(jar.toAbsolutePath().getParent(), "slim", ".tmp");
        try {
            copy(jar, library, slim);
            Files.copy(slim, jar, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.delete(slim);
        }
    }

    private static void copy(Path from, String library, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
            if (jar.getEntry(library) == null) {
                throw new IOException(from + ": has no " + library);
            }
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (!entry.getName().equals(library)
                        && NATIVE.matcher(entry.getName()).matches()) {
                    continue;
                }
                JarEntry copied = new JarEntry(entry.getName());
                copied.setTime(entry.getTime());
                out.putNextEntry(copied);
                try (InputStream content = jar.getInputStream(entry)) {
                    content.transferTo(out);
                }
                out.closeEntry();
            }
        }
    }
}
