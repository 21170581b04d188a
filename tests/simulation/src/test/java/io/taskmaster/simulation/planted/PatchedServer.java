package io.taskmaster.simulation.planted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A class loader that loads the server and its simulation anew, with one class compiled from a changed source and all
 * others as they are on the class path. Thread-safe.
 */
final class PatchedServer extends ClassLoader {

    private static final List<String> RELOADED = List.of(
            "io.taskmaster.command.", "io.taskmaster.proxy.", "io.taskmaster.server.", "io.taskmaster.simulation.");

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> patched;

    private PatchedServer(Map<String, byte[]> patched) {
        super(PatchedServer.class.getClassLoader());
        this.patched = patched;
    }

    static PatchedServer with(PlantedBug bug) {
        try {
            String source = Files.readString(sourceOf(bug.file()));
            return new PatchedServer(compile(bug.file(), bug.plantedIn(source)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns a loader of the unchanged server, loaded in the same way. */
    static PatchedServer unchanged() {
        return new PatchedServer(Map.of());
    }

    /** Returns the source of a class of the server or of its lower storey, in whatever folder the build runs. */
    private static Path sourceOf(String file) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            for (String module : List.of("taskmaster-server", "taskmaster-proxy")) {
                Path source = folder.resolve(Path.of(module, "src", "main", "java", file + ".java"));
                if (Files.exists(source)) {
                    return source;
                }
            }
        }
        throw new IllegalStateException(
                file + ": not found above " + Path.of("").toAbsolutePath());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (RELOADED.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = patched.get(name);
        if (bytes == null) {
            bytes = asItIs(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] asItIs(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private static Map<String, byte[]> compile(String file, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        try (InMemory output = new InMemory(files)) {
            boolean done = compiler.getTask(
                            complaints,
                            output,
                            null,
                            List.of("-proc:none", "-nowarn", "-parameters", "-classpath", classPath()),
                            null,
                            List.of(new Source(file, source)))
                    .call();
            if (!done) {
                throw new IllegalStateException("a planted bug does not compile: " + complaints);
            }
            return output.classes();
        } catch (IOException unclosed) {
            throw new UncheckedIOException(unclosed);
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        private Source(String file, String text) {
            super(URI.create("string:///" + file + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** A file manager that keeps compiled classes in memory. */
    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        private InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, Kind kind, javax.tools.FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(className, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        private Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }
}
