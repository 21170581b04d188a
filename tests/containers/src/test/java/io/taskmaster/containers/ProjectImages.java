package io.taskmaster.containers;

import io.taskmaster.proxy.program.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * An extension that builds the images from the sources of the project, under the names that containers use by default;
 * the tests then use them like any user. Builds once per JVM. The base image is {@code TASKMASTER_DOCKER_BASE} of the
 * environment, or that of the Dockerfiles.
 */
final class ProjectImages implements BeforeAllCallback {

    private static final Path PROJECT = Path.of("../..");
    private static final String SERVER_JARS = "dist/jars/target/lib";
    private static final String HBASE_JARS = "dist/hbase/target/lib";

    @Override
    public void beforeAll(ExtensionContext context) {
        var images = context.getRoot().getStore(ExtensionContext.Namespace.create(ProjectImages.class));
        images.getOrComputeIfAbsent("taskmaster", name -> build(name, List.of("taskmaster", SERVER_JARS)));
        images.getOrComputeIfAbsent("hbase", name -> build(name, List.of(SERVER_JARS, HBASE_JARS)));
    }

    /** Builds an image and returns its name. */
    private static String build(String name, List<String> copied) {
        String folder = "dist/docker/" + name;
        // The image has a name and outlives the JVM, so that unchanged layers need not be built the next time.
        var image = new ImageFromDockerfile("taskmaster/%s:%s".formatted(name, Version.current()), false)
                .withBuildArgs(base())
                .withFileFromPath("Dockerfile", PROJECT.resolve(folder).resolve("Dockerfile"))
                .withFileFromPath(folder, PROJECT.resolve(folder));
        for (String path : copied) {
            if (!Files.exists(PROJECT.resolve(path))) {
                throw new IllegalStateException(path + ": not there (expected: built by mvn verify, or ./taskmaster)");
            }
            image.withFileFromPath(path, PROJECT.resolve(path));
        }
        return image.get();
    }

    private static Map<String, String> base() {
        String base = System.getenv("TASKMASTER_DOCKER_BASE");
        return base == null ? Map.of() : Map.of("BASE", base);
    }
}
