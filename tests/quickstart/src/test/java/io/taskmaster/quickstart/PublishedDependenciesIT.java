package io.taskmaster.quickstart;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests of the libraries that users get with each published artifact, as Maven resolves them for a project that has it.
 */
final class PublishedDependenciesIT {

    private static final String LIST = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:list";
    private static final Pattern LINE =
            Pattern.compile("^ +([\\w.-]+):([\\w.-]+):jar:(?:[\\w-]+:)?([^:]+):(?:compile|runtime)", Pattern.MULTILINE);

    /** Families of libraries that have to be of one version, by group. */
    private static final List<String> FAMILIES =
            List.of("io.taskmaster", "io.grpc", "io.netty", "io.micrometer", "io.prometheus", "com.google.protobuf");

    /** The libraries of each artifact. */
    private static final Map<String, Set<Library>> LIBRARIES = new TreeMap<>();

    /** @param id group and artifact */
    private record Library(String group, String id, String version) {}

    @BeforeAll
    static void resolve() throws Exception {
        Path repository = Folder.empty("repository");
        Published.copyTo(repository);
        Path users = Folder.empty("users");
        StringBuilder modules = new StringBuilder();
        for (String artifact : Published.LIBRARIES) {
            Path user = Files.createDirectories(users.resolve(artifact));
            Files.writeString(user.resolve("pom.xml"), user(artifact));
            modules.append("<module>").append(artifact).append("</module>");
        }
        Files.writeString(users.resolve("pom.xml"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>users</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>%s</modules>
                </project>
                """.formatted(modules));

        UserMaven.with(repository).run(users, LIST, "-DincludeScope=runtime", "-DoutputFile=libraries.txt");

        for (String artifact : Published.LIBRARIES) {
            LIBRARIES.put(artifact, libraries(users.resolve(artifact).resolve("libraries.txt")));
        }
    }

    private static String user(String artifact) {
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>user-of-%1$s</artifactId>
                  <version>1</version>
                  <repositories>
                    <repository>
                      <id>taskmaster</id>
                      <url>${taskmaster.repository}</url>
                    </repository>
                  </repositories>
                  <dependencyManagement>
                    <dependencies>
                      <dependency>
                        <groupId>io.taskmaster</groupId>
                        <artifactId>taskmaster-bom</artifactId>
                        <version>%2$s</version>
                        <type>pom</type>
                        <scope>import</scope>
                      </dependency>
                    </dependencies>
                  </dependencyManagement>
                  <dependencies>
                    <dependency>
                      <groupId>io.taskmaster</groupId>
                      <artifactId>%1$s</artifactId>
                    </dependency>
                  </dependencies>
                </project>
                """.formatted(artifact, Published.VERSION);
    }

    private static Set<Library> libraries(Path list) throws IOException {
        return LINE.matcher(Files.readString(list))
                .results()
                .map(line -> new Library(line.group(1), line.group(1) + ":" + line.group(2), line.group(3)))
                .collect(toSet());
    }

    @Test
    void theClientBringsGrpcProtobufAndGuava() {
        assertThat(LIBRARIES.get("taskmaster-core"))
                .extracting(Library::group)
                .containsOnly(
                        "io.taskmaster",
                        "io.grpc",
                        "io.netty",
                        "io.perfmark",
                        "com.google.protobuf",
                        "com.google.api.grpc",
                        "com.google.guava",
                        "com.google.code.gson",
                        // Annotations of these.
                        "com.google.android",
                        "com.google.code.findbugs",
                        "com.google.errorprone",
                        "com.google.j2objc",
                        "org.codehaus.mojo",
                        "org.jspecify");
    }

    @Test
    void theStageLibraryAddsMetersAndTheInterfaceOfALog() {
        assertThat(added("taskmaster-stage", "taskmaster-core"))
                .containsExactlyInAnyOrder(
                        "io.taskmaster:taskmaster-stage",
                        "io.micrometer:micrometer-commons",
                        "io.micrometer:micrometer-core",
                        "io.micrometer:micrometer-observation",
                        "org.hdrhistogram:HdrHistogram",
                        "org.jctools:jctools-core",
                        "org.slf4j:slf4j-api");
    }

    @Test
    void theTestKitAddsAServerInMemory() {
        assertThat(added("taskmaster-testkit", "taskmaster-stage"))
                .containsExactlyInAnyOrder(
                        "io.taskmaster:taskmaster-proxy",
                        "io.taskmaster:taskmaster-server",
                        "io.taskmaster:taskmaster-testkit",
                        "com.github.ben-manes.caffeine:caffeine",
                        "com.google.protobuf:protobuf-java-util",
                        "com.google.re2j:re2j",
                        "io.grpc:grpc-inprocess",
                        "io.grpc:grpc-services",
                        "io.micrometer:micrometer-registry-prometheus",
                        "io.prometheus:prometheus-metrics-config",
                        "io.prometheus:prometheus-metrics-core",
                        "io.prometheus:prometheus-metrics-exposition-textformats",
                        "io.prometheus:prometheus-metrics-model",
                        "io.prometheus:prometheus-metrics-tracer-common");
    }

    /** Returns the libraries that an artifact brings and another one does not. */
    private static Set<String> added(String artifact, String without) {
        Set<String> ids = ids(artifact);
        ids.removeAll(ids(without));
        return ids;
    }

    private static Set<String> ids(String artifact) {
        return LIBRARIES.getOrDefault(artifact, Set.of()).stream()
                .map(Library::id)
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void noArtifactBringsAStoreOrTracesUnlessAskedFor() {
        for (String artifact : Published.LIBRARIES) {
            assertThat(ids(artifact))
                    .as(artifact)
                    .contains("io.taskmaster:" + artifact)
                    .noneMatch(id -> id.matches(
                            "(org\\.rocksdb|org\\.apache\\..*|com\\.google\\.cloud.*|io\\.opentelemetry.*):.*"));
        }
    }

    @Test
    void onlyTheCommandLineBringsALogger() {
        assertThat(Published.LIBRARIES)
                .filteredOn(artifact -> ids(artifact).stream()
                        .anyMatch(id -> id.matches(
                                "ch\\.qos\\.logback:.*|org\\.slf4j:(?!slf4j-api).*|org\\.apache\\.logging.*")))
                .containsExactly("taskmaster-cli");
    }

    @Test
    void theLibrariesOfAFamilyAreOfOneVersion() {
        LIBRARIES.forEach((artifact, libraries) -> {
            for (String family : FAMILIES) {
                Set<String> versions = libraries.stream()
                        .filter(library -> library.group().equals(family))
                        .map(Library::version)
                        .collect(toSet());
                assertThat(versions).as("%s in %s", family, artifact).hasSizeLessThan(2);
            }
        });
    }
}
