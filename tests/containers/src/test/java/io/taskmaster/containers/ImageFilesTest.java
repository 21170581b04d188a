package io.taskmaster.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.program.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that Dockerfiles, compose files and their guide agree with each other, without Docker. */
final class ImageFilesTest {

    private static final Path PROJECT = Path.of("../..");
    private static final Path GUIDE = PROJECT.resolve("docs/docker.md");
    private static final Pattern ARGUMENT = Pattern.compile("(?m)^ARG (\\w+)(?:=(\\S+))?$");
    private static final Pattern MODULES = Pattern.compile(" mvn .* -Dmaven.repo.local=/libraries -pl (\\S+) -am ");
    private static final Pattern COMMAND = Pattern.compile("(?m)^# {4,}(docker .*)$");

    @ParameterizedTest
    @EnumSource
    void aServiceIsBuiltFromADockerfileThatIsThereWithArgumentsThatItHas(ComposeFile file) {
        assertThat(file.services()).isNotEmpty().allSatisfy((name, service) -> {
            Path dockerfile = service.dockerfile();
            assertThat(dockerfile).exists();
            assertThat(arguments(dockerfile).keySet())
                    .containsAll(service.buildArguments().keySet());
            assertThat(service.image())
                    .startsWith("taskmaster/" + dockerfile.getName(dockerfile.getNameCount() - 2) + ":"
                            + Version.current());
        });
    }

    @ParameterizedTest
    @EnumSource
    void portsArePublishedOnLoopbackAndExposedByTheImage(ComposeFile file) {
        assertThat(file.service("taskmaster").ports()).isNotEmpty();
        assertThat(file.services().values())
                .allSatisfy(service -> assertThat(service.ports()).allSatisfy(port -> {
                    assertThat(port).startsWith("127.0.0.1:");
                    assertThat(instruction("EXPOSE", service.dockerfile()).split(" "))
                            .contains(port.substring(port.lastIndexOf(':') + 1));
                }));
    }

    @ParameterizedTest
    @EnumSource
    void volumesAreDeclaredAndAreWhereTheImageStores(ComposeFile file) {
        List<String> mounts = file.services().values().stream()
                .flatMap(service -> service.volumes().stream()
                        .map(mount -> mount + " " + instruction("VOLUME", service.dockerfile())))
                .toList();

        assertThat(file.volumes()).isNotEmpty();
        assertThat(mounts)
                .hasSameSizeAs(file.volumes())
                .allSatisfy(mount -> assertThat(mount).matches("([a-z]+):(/\\S+) \\2"));
        assertThat(mounts.stream().map(mount -> mount.substring(0, mount.indexOf(':'))))
                .containsExactlyInAnyOrderElementsOf(file.volumes());
    }

    @ParameterizedTest
    @EnumSource
    void aServiceThatAnotherWaitsForHasAHealthCheck(ComposeFile file) {
        assertThat(file.services().values())
                .flatExtracting(ComposeFile.Service::awaited)
                .allSatisfy(name -> assertThat(
                                instruction("HEALTHCHECK", file.service(name).dockerfile()))
                        .contains("CMD"));
    }

    @Test
    void eachFileHasContainersAndVolumesOfItsOwn() {
        assertThat(ComposeFile.values())
                .extracting(ComposeFile::project)
                .allMatch(project -> project.startsWith("taskmaster"))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void aServiceMayStopInOrderAndIsRestarted(ComposeFile file) {
        assertThat(file.services().values())
                .allSatisfy(service -> assertThat(service.keys()).contains("restart", "stop_grace_period"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"taskmaster", "hbase"})
    void aBuildFromTheSourcesDownloadsInALayerOfItsOwn(String image) {
        String steps = read(dockerfile(image)).replaceAll("\\\\\\R", "");
        List<String> modules =
                MODULES.matcher(steps).results().map(found -> found.group(1)).toList();

        assertThat(modules).as("of downloads and of the build").hasSize(2);
        assertThat(modules.getFirst()).isEqualTo(modules.getLast());
    }

    /** Testcontainers, and Docker without its plugin for builds, have the builder that came before BuildKit. */
    @ParameterizedTest
    @ValueSource(strings = {"taskmaster", "hbase"})
    void aBuildNeedsNoBuildKit(String image) {
        assertThat(read(dockerfile(image))).doesNotContain("--mount", "<<", "--link", "--parents", "# syntax");
    }

    @Test
    void theGuideNamesEveryArgumentAndItsDefault() {
        assertThat(arguments(dockerfile("taskmaster")).keySet()).contains("BUILD", "BASE", "STORE", "PREBUILT");
        Stream.of("taskmaster", "hbase")
                .flatMap(image -> arguments(dockerfile(image)).entrySet().stream())
                .forEach(argument -> assertThat(read(GUIDE))
                        .contains(argument.getKey())
                        .contains(argument.getKey().matches("BUILD|BASE") ? argument.getValue() : ""));
    }

    @Test
    void theGuideHasTheCommandsOfTheFiles() {
        String guide = read(GUIDE);
        List<Path> files = Stream.concat(
                        Stream.of("taskmaster", "hbase").map(ImageFilesTest::dockerfile),
                        Arrays.stream(ComposeFile.values()).map(ComposeFile::path))
                .toList();

        assertThat(files)
                .allSatisfy(file -> assertThat(COMMAND.matcher(read(file)).results())
                        .isNotEmpty()
                        .allSatisfy(command -> assertThat(guide).contains(command.group(1))));
    }

    private static Path dockerfile(String image) {
        return PROJECT.resolve("dist/docker/%s/Dockerfile".formatted(image));
    }

    /** Returns the arguments of a Dockerfile, with their default values or an empty text. */
    private static Map<String, String> arguments(Path dockerfile) {
        return ARGUMENT.matcher(read(dockerfile))
                .results()
                .collect(Collectors.toMap(
                        found -> found.group(1),
                        found -> found.group(2) == null ? "" : found.group(2),
                        (first, second) -> first));
    }

    private static String instruction(String name, Path dockerfile) {
        return read(dockerfile)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
