package io.taskmaster.containers;

import io.taskmaster.proxy.program.Version;
import io.taskmaster.tests.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * An extension that builds the images from the project's Dockerfiles, under the names that containers use by default;
 * the tests then use them like any user. Builds once per JVM. The images contain what the build of the project has
 * made: the slow profile takes the tree of the release archive, with its own Java; other builds put the jars on the
 * Java of the base image, {@code TASKMASTER_DOCKER_BASE} of the environment.
 */
final class ProjectImages implements BeforeAllCallback {

    private static final Path PROJECT = Path.of("../..");
    private static final String TREE = "dist/archive/target/image";

    @Override
    public void beforeAll(ExtensionContext context) {
        var images = context.getRoot().getStore(ExtensionContext.Namespace.create(ProjectImages.class));
        images.getOrComputeIfAbsent("taskmaster", name -> build(name, Profile.isSlow() ? archive() : jars()));
        images.getOrComputeIfAbsent("hbase", name -> build(name, hbase()));
    }

    /** Returns the tree of the archive: paths in the context of the image by files and folders of the project. */
    private static Map<String, String> archive() {
        return Map.of(TREE, TREE);
    }

    /** Returns a tree without a Java and without caches, which costs the build nothing. */
    private static Map<String, String> jars() {
        return Map.of(
                TREE + "/bin/taskmaster", "dist/launcher/launcher.sh",
                TREE + "/libexec", "dist/launcher",
                TREE + "/lib", "dist/jars/target/lib",
                TREE + "/lib/hbase", "dist/hbase-client/target/lib");
    }

    private static Map<String, String> hbase() {
        return Map.of(
                "dist/tools/target/lib", "dist/tools/target/lib", "dist/hbase/target/lib", "dist/hbase/target/lib");
    }

    /** Builds an image and returns its name. */
    private static String build(String name, Map<String, String> copied) {
        String folder = "dist/docker/" + name;
        // The image has a name and outlives the JVM, so that unchanged layers need not be built the next time.
        var image = new ImageFromDockerfile("taskmaster/%s:%s".formatted(name, Version.current()), false)
                .withBuildArgs(arguments())
                .withFileFromPath("Dockerfile", PROJECT.resolve(folder).resolve("Dockerfile"))
                .withFileFromPath(folder, PROJECT.resolve(folder));
        copied.forEach((inContext, path) -> {
            if (!Files.exists(PROJECT.resolve(path))) {
                throw new IllegalStateException(path + ": not there (expected: built by mvn verify)");
            }
            image.withFileFromPath(inContext, PROJECT.resolve(path));
        });
        return image.get();
    }

    /** Returns the arguments of the build. As nothing is compiled, any image with a Java 25 will do for both stages. */
    private static Map<String, String> arguments() {
        String base = System.getenv().getOrDefault("TASKMASTER_DOCKER_BASE", "eclipse-temurin:25-jre");
        return Map.of("PREBUILT", "yes", "STORE", "hbase", "BUILD", base, "BASE", base);
    }
}
