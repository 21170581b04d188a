package io.taskmaster.containers;

import static io.taskmaster.containers.DockerCommand.docker;
import static io.taskmaster.containers.DockerCommand.succeeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.testkit.junit.RequiresDocker;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the images as users build them, from the sources and with nothing but Docker, and of the compose files. The
 * base images are those that {@code .ci/docker --sources} has found or made; without them the tests are skipped.
 */
@Slow
@RequiresDocker
final class ImagesFromSourcesIT {

    private static final String IMAGE = "taskmaster/taskmaster:from-sources";
    private static final String IMAGE_WITH_HBASE = IMAGE + "-hbase";
    private static final String HBASE = "taskmaster/hbase:from-sources";
    private static final long MAX_BYTES = 200_000_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private final String name = "taskmaster-it-" + UUID.randomUUID();

    @TempDir
    private Path folder;

    @BeforeAll
    static void buildImages() {
        String java = base("TASKMASTER_DOCKER_BASE");
        String system = base("TASKMASTER_DOCKER_SYSTEM");
        build("taskmaster", IMAGE, "BASE=" + system);
        build("taskmaster", IMAGE_WITH_HBASE, "BASE=" + system, "STORE=hbase");
        build("hbase", HBASE, "BASE=" + java);
    }

    private static String base(String variable) {
        String image = System.getenv().getOrDefault(variable, "");
        assumeThat(image).as(variable + ", set by .ci/docker --sources").isNotBlank();
        return image;
    }

    private static void build(String image, String tag, String... arguments) {
        String[] command = Stream.of(
                        Stream.of("build", "--file", "dist/docker/" + image + "/Dockerfile", "--tag", tag),
                        Stream.concat(Stream.of("BUILD=" + base("TASKMASTER_DOCKER_BUILD")), Arrays.stream(arguments))
                                .flatMap(argument -> Stream.of("--build-arg", argument)),
                        Stream.of("."))
                .flatMap(part -> part)
                .toArray(String[]::new);
        docker(command);
    }

    @AfterEach
    void removeContainer() {
        succeeds("rm", "--force", "--volumes", name);
        succeeds("volume", "rm", "--force", name);
    }

    @Test
    void theImageIsSmallAndRunsAsAUserWithoutRights() {
        assertThat(Long.parseLong(docker("image", "inspect", "--format", "{{.Size}}", IMAGE)))
                .as("bytes of the image")
                .isLessThan(MAX_BYTES);
        assertThat(docker("image", "inspect", "--format", "{{.Config.User}}", IMAGE))
                .isEqualTo("10001:10001");
        assertThat(docker("run", "--rm", "--entrypoint", "id", IMAGE, "-u")).isEqualTo("10001");
        assertThat(docker("run", "--rm", "--entrypoint", "sh", IMAGE, "-c", "command -v java mvn || echo none"))
                .isEqualTo("none");
    }

    @Test
    void theImageHasOnlyWhatItsStoreNeeds() {
        assertThat(files(IMAGE))
                .anyMatch(file -> file.contains("rocksdbjni"))
                .noneMatch(file -> file.matches(".*/(hbase|demo|aot|tools)/.*"));
        assertThat(files(IMAGE_WITH_HBASE)).anyMatch(file -> file.contains("/lib/hbase/hbase-client-"));
    }

    private static Stream<String> files(String image) {
        return docker("run", "--rm", "--entrypoint", "find", image, "/opt/taskmaster", "-type", "f")
                .lines();
    }

    @Test
    void aServerBecomesHealthyStopsInOrderAndKeepsItsTasks() throws Exception {
        docker(
                "run",
                "--detach",
                "--name",
                name,
                "--publish",
                "127.0.0.1::7480",
                "--volume",
                name + ":/var/lib/taskmaster",
                IMAGE);
        awaitHealthy();
        docker("exec", name, "taskmaster", "enqueue", "fetch", "a page", "--pid", "1");
        assertThat(page()).contains("<title>TaskMaster");

        docker("stop", "--time", "30", name);
        assertThat(docker("inspect", "--format", "{{.State.ExitCode}}", name)).isEqualTo("0");
        docker("start", name);
        awaitHealthy();

        assertThat(docker("exec", name, "taskmaster", "lease", "fetch")).contains("a page");
    }

    private void awaitHealthy() {
        await("the health check")
                .atMost(TIMEOUT)
                .until(() -> docker("inspect", "--format", "{{.State.Health.Status}}", name)
                        .equals("healthy"));
    }

    private String page() throws Exception {
        String address = docker("port", name, "7480/tcp").lines().findFirst().orElseThrow();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/"))
                    .build();
            return http.send(request, BodyHandlers.ofString()).body();
        }
    }

    @Test
    void theComposeFileStartsAServerThatKeepsItsTasks() throws IOException {
        tasksSurviveANewContainer(ComposeFile.ROCKSDB, "");
    }

    @Test
    void theComposeFileWithHBaseStartsAServerThatKeepsItsTasks() throws IOException {
        tasksSurviveANewContainer(ComposeFile.HBASE, """
              hbase:
                image: %s
            """.formatted(HBASE));
    }

    /** Starts the services of a file with the images of this test, and on ports of Docker's choice. */
    private void tasksSurviveANewContainer(ComposeFile file, String more) throws IOException {
        assumeThat(succeeds("compose", "version"))
                .as("docker compose is installed")
                .isTrue();
        Path changes = Files.writeString(
                folder.resolve("changes.yaml"),
                """
                services:
                  taskmaster:
                    image: %s
                    ports: !override ["127.0.0.1::7400", "127.0.0.1::7480"]
                """.formatted(file == ComposeFile.HBASE ? IMAGE_WITH_HBASE : IMAGE) + more);
        try {
            compose(file, changes, "up", "--detach", "--wait");
            taskmaster(file, changes, "enqueue", "fetch", "a page", "--pid", "1");
            compose(file, changes, "up", "--detach", "--wait", "--force-recreate", "--no-deps", "taskmaster");

            assertThat(taskmaster(file, changes, "lease", "fetch")).contains("a page");
        } finally {
            compose(file, changes, "down", "--volumes");
        }
    }

    private String taskmaster(ComposeFile file, Path changes, String... arguments) {
        return compose(
                file,
                changes,
                Stream.concat(Stream.of("exec", "-T", "taskmaster", "taskmaster"), Arrays.stream(arguments))
                        .toArray(String[]::new));
    }

    private String compose(ComposeFile file, Path changes, String... arguments) {
        return docker(Stream.concat(
                        Stream.of(
                                "compose",
                                "--project-name",
                                name,
                                "--file",
                                file.path().toAbsolutePath().normalize().toString(),
                                "--file",
                                changes.toString()),
                        Arrays.stream(arguments))
                .toArray(String[]::new));
    }
}
