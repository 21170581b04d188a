package io.taskmaster.integration.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the release archive with its own Java, on a machine that has no Java and no Maven: the {@code PATH} has only
 * the tools of every Linux. The build makes the archive in the slow profile alone.
 */
@Slow
final class ArchiveIT {

    private static final Path BUILT = Path.of("../../dist/archive/target");
    private static final List<String> TOOLS =
            List.of("sh", "sed", "tr", "cat", "ls", "cksum", "nice", "dirname", "readlink", "env");
    private static final Pattern LISTEN = Pattern.compile("[^a-z]listen=\"?([0-9.:]+)");
    private static final Pattern HTTP = Pattern.compile("[^a-z]http=\"?([0-9.:]+)");

    @TempDir
    private Path folder;

    private Path home;
    private Path tools;

    @BeforeEach
    void unpack() throws Exception {
        Path archive = built(".*-linux-x64\\.tar\\.gz");
        tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Path program = Stream.of("/usr/bin", "/bin")
                    .map(bin -> Path.of(bin, tool))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(tools.resolve(tool), program);
        }
        Process tar = new ProcessBuilder("tar", "-xzf", archive.toAbsolutePath().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("unpacking.txt").toFile())
                .start();
        assertThat(tar.waitFor())
                .as(Files.readString(folder.resolve("unpacking.txt")))
                .isZero();
        home = folder.resolve(archive.getFileName().toString().replace("-linux-x64.tar.gz", ""));
    }

    @Test
    void servesATaskAndThePageWithoutAnythingInstalled() throws Exception {
        Path log = folder.resolve("log");
        Process server = start(
                log, Map.of(), List.of("server", "--data", "data", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"));
        try {
            await().until(() -> {
                assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
                return Files.readString(log).contains("TaskMaster serves");
            });
            String at = field(LISTEN, log);

            run(Map.of(), "enqueue", "fetch", "a page", "--pid", "1", "--server", at);
            assertThat(run(Map.of(), "lease", "fetch", "--server", at)).contains("a page");
            assertThat(run(Map.of(), "queues", "--server", at)).contains("fetch");
            assertThat(page("http://" + field(HTTP, log) + "/")).contains("<title>TaskMaster");
            server.destroy();
            assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(server.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void startsFromItsCachesWhereverItIsUnpacked() throws Exception {
        Map<String, String> verbose = Map.of("TASKMASTER_OPTS", "-Xlog:class+load:file=" + folder.resolve("classes"));

        run(verbose, "--version");

        assertThat(Files.readString(folder.resolve("classes")))
                .containsPattern("io\\.taskmaster\\.cli\\.Main source: shared objects file");
    }

    @Test
    void hasADocumentForEveryCommandAndALicenceForEveryLibrary() throws IOException {
        assertThat(home.resolve("share/man/man1/taskmaster-enqueue.1"))
                .content()
                .contains(".SH \"OPTIONS\"");
        assertThat(home.resolve("share/fish/vendor_completions.d/taskmaster.fish"))
                .content()
                .contains("-a enqueue");
        assertThat(home.resolve("share/bash-completion/completions/taskmaster"))
                .content()
                .contains("complete -F _complete_taskmaster");
        assertThat(home.resolve("licenses/THIRD-PARTY.txt"))
                .content()
                .contains("org.rocksdb:rocksdbjni", "io.grpc:grpc-core", "org.apache.hbase:hbase-client");
        assertThat(home.resolve("sbom.cdx.json")).content().contains("CycloneDX", "pkg:maven/io.grpc/grpc-core");
    }

    @Test
    void hasNoToolOfDevelopmentAndNoLibraryOfAnotherPlatform() throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("lib"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(
                            name -> name.matches("(taskmaster-(testkit|benchmarks|tests).*|junit.*|testcontainers.*)"));
        }
        assertThat(Files.size(jar("rocksdbjni"))).isLessThan(20 << 20);
    }

    @Test
    void theDebianPackageHasTheServiceAndItsSettings() throws Exception {
        assumeThat(Path.of("/usr/bin/dpkg-deb"))
                .as("the program that makes the package")
                .exists();
        Path deb = built("taskmaster_.*_amd64\\.deb");
        Path output = folder.resolve("contents");
        Process process = new ProcessBuilder("dpkg-deb", "--contents", deb.toString())
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).isZero();

        assertThat(output)
                .content()
                .contains(
                        "./usr/bin/taskmaster -> ../lib/taskmaster/bin/taskmaster",
                        "./usr/lib/systemd/system/taskmaster.service",
                        "./etc/taskmaster/server.properties",
                        "./usr/share/man/man1/taskmaster.1.gz",
                        "./usr/lib/taskmaster/runtime/bin/java");
    }

    private static Path built(String pattern) throws IOException {
        assumeThat(System.getProperty("os.name") + "-" + System.getProperty("os.arch"))
                .as("the platform of the archive")
                .isEqualTo("Linux-amd64");
        try (Stream<Path> files = Files.list(BUILT)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .findFirst()
                    .orElseThrow(
                            () -> new AssertionError(pattern + ": not in " + BUILT + " (expected: -Pslow makes it)"));
        }
    }

    private Path jar(String name) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(name + "-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String field(Pattern pattern, Path log) throws IOException {
        Matcher matcher = pattern.matcher(Files.readString(log));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static String page(String url) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private String run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = start(output, environment, List.of(arguments));
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a command in an environment that has nothing but the tools. */
    private Process start(Path output, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/taskmaster").toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        // Not the profile of the user who runs the test.
        builder.environment().put("XDG_CONFIG_HOME", folder.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }
}
