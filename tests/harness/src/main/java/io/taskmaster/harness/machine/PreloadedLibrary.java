package io.taskmaster.harness.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A library in C that a process loads before those of the system ({@code LD_PRELOAD}), so that it intercepts their
 * calls. It is compiled from a source beside this class, and so needs Linux and a compiler, {@code cc}. Stateless.
 */
public final class PreloadedLibrary {

    private PreloadedLibrary() {}

    /** Returns whether this is Linux, and has a compiler. */
    public static boolean isPossible() {
        try {
            return System.getProperty("os.name").equals("Linux")
                    && new ProcessBuilder("cc", "--version")
                                    .redirectErrorStream(true)
                                    .redirectOutput(Redirect.DISCARD)
                                    .start()
                                    .onExit()
                                    .join()
                                    .exitValue()
                            == 0;
        } catch (IOException noCompiler) {
            return false;
        }
    }

    /**
     * Compiles a library. Blocks.
     *
     * @param name the name of the source, without its extension
     * @param folder the folder for the source and the library
     * @return the library
     */
    static Path compile(String name, Path folder) throws IOException {
        Path source = folder.resolve(name + ".c");
        Path library = folder.resolve(name + ".so");
        try (InputStream text = PreloadedLibrary.class.getResourceAsStream(name + ".c")) {
            if (text == null) {
                throw new IOException("%s.c (expected: beside %s)".formatted(name, PreloadedLibrary.class));
            }
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        ProcessBuilder compiler = new ProcessBuilder(
                        "cc",
                        "-shared",
                        "-fPIC",
                        "-O1",
                        "-o",
                        library.toString(),
                        source.toString(),
                        "-ldl",
                        "-lpthread")
                .redirectErrorStream(true);
        Process compiling = compiler.start();
        String output = new String(compiling.getInputStream().readAllBytes(), UTF_8);
        if (compiling.onExit().join().exitValue() != 0) {
            throw new IOException("%s.c does not compile: %s".formatted(name, output));
        }
        return library;
    }
}
