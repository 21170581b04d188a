package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A compiler of server classes with a planted bug, from their sources. */
final class BugCompiler {

    private static final Path SOURCES = Path.of("../../taskmaster-server/src/main/java");

    private BugCompiler() {}

    /**
     * Compiles a source file of the server with some of its text replaced.
     *
     * @param file its path among the sources
     * @param text the text to replace, which occurs exactly once
     * @param classes the folder of the compiled classes
     */
    static void compile(String file, String text, String bug, Path classes) throws IOException {
        String source = Files.readString(SOURCES.resolve(file));
        assertThat(source.split(Pattern.quote(text), -1)).as("what is patched").hasSize(2);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        boolean done = compiler.getTask(
                        output,
                        null,
                        null,
                        List.of(
                                "-proc:none",
                                "-nowarn",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(source(file, source.replace(text, bug))))
                .call();
        assertThat(done).as(output::toString).isTrue();
    }

    private static JavaFileObject source(String file, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
