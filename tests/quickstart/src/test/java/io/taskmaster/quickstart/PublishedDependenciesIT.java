package io.taskmaster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests of the libraries that users get with each published artifact, as Maven resolves them for a project that has it. */
final class PublishedDependenciesIT {

    private static final String LIST = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:list";
    private static final Pattern LINE = Pattern.compile("^ +([\\w.-]+):([\\w.-]+):jar:[^\\s]*:(compile|runtime)");

    /** The libraries of each artifact: group and artifact, without versions. */
    private static final SortedMap<String, List<String>> LIBRARIES = new TreeMap<>();

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

    private static List<String> libraries(Path list) throws IOException {
        return Files.readString(list).lines()
                .map(LINE::matcher)
                .filter(line -> line.find())
                .map(line -> line.group(1) + ":" + line.group(2))
                .sorted()
                .toList();
    }

    @Test
    void noArtifactBringsAStoreALogOrTracesUnlessAskedFor() {
        LIBRARIES.forEach((artifact, libraries) -> assertThat(libraries)
                .as(artifact)
                .isNotEmpty()
                .noneMatch(library -> library.matches("(org\\.rocksdb|org\\.apache\\.h.*|com\\.google\\.cloud.*|io\\.opentelemetry.*):.*")));
    }

    @Test
    void onlyTheCommandLineBringsALog() {
        LIBRARIES.forEach((artifact, libraries) -> {
            if (!artifact.equals("taskmaster-cli")) {
                assertThat(libraries)
                        .as(artifact)
                        .noneMatch(library -> library.matches("ch\\.qos\\.logback:.*|org\\.slf4j:(?!slf4j-api).*"));
            }
        });
    }
}
