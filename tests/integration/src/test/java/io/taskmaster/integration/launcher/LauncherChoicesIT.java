package io.taskmaster.integration.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the jars, flags and caches that the launcher of an archive chooses. Its Java is a script that prints its
 * arguments.
 */
final class LauncherChoicesIT {

    private static final Path LAUNCHER = Path.of("../../dist/launcher");
    private static final Map<String, String> USED = Map.of("TASKMASTER_AOT", "on");

    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        home = Files.createDirectories(folder.resolve("task master"));
        for (String jar : List.of(
                "lib/b.jar",
                "lib/a.jar",
                "lib/hbase/h.jar",
                "lib/hbase/a.jar",
                "lib/demo/d.jar",
                "lib/bigtable/g.jar")) {
            Files.createDirectories(home.resolve(jar).getParent());
            Files.createFile(home.resolve(jar));
        }
        script("bin/taskmaster", Files.readString(LAUNCHER.resolve("launcher.sh")));
        script("libexec/stores.sh", Files.readString(LAUNCHER.resolve("stores.sh")));
        script("libexec/train.sh", Files.readString(LAUNCHER.resolve("train.sh")));
        script("runtime/bin/java", "#!/bin/sh\nfor argument; do echo \"$argument\"; done\n");
        Files.writeString(home.resolve("runtime/release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    @Test
    void commandsHaveTheMainJarsAloneInTheOrderOfTheirNames() throws Exception {
        assertThat(classPath("queues")).containsExactly("lib/a.jar", "lib/b.jar");
        assertThat(classPath("server", "--data", "hbase")).containsExactly("lib/a.jar", "lib/b.jar");
        assertThat(classPath("demo")).containsExactly("lib/a.jar", "lib/b.jar", "lib/demo/d.jar");
        assertThat(classPath("demo", "--store", "hbase")).contains("lib/demo/d.jar", "lib/hbase/h.jar");
        assertThat(classPath("--help")).as("lists all commands").contains("lib/demo/d.jar");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--store hbase",
                "--store=HBASE",
                "--set store=hbase",
                "--set=store=hbase",
                "--config FILE",
                "--config=FILE"
            })
    void aServerOnHBaseHasItsClientToo(String arguments) throws Exception {
        Path config = Files.writeString(folder.resolve("c.properties"), "listen = 127.0.0.1:0\n  store : hbase\n");
        String[] words = ("server " + arguments.replace("FILE", config.toString())).split(" ");

        assertThat(classPath(words)).containsExactly("lib/a.jar", "lib/b.jar", "lib/hbase/h.jar");
    }

    @Test
    void aServerOnBigtableHasBothClients() throws Exception {
        Path config = Files.writeString(folder.resolve("c.properties"), "store=Bigtable\n");

        for (String[] words : List.of(
                new String[] {"server", "--store", "bigtable"},
                new String[] {"server", "--config", config.toString()})) {
            assertThat(classPath(words))
                    .containsExactly("lib/a.jar", "lib/b.jar", "lib/hbase/h.jar", "lib/bigtable/g.jar");
        }
    }

    @Test
    void argumentsReachTheProgramAsTheyAre() throws Exception {
        List<String> words = run(Map.of(), "enqueue", "q", "two words", "", "$HOME *");

        assertThat(words.subList(words.indexOf("io.taskmaster.cli.Main"), words.size()))
                .containsExactly("io.taskmaster.cli.Main", "enqueue", "q", "two words", "", "$HOME *");
    }

    @Test
    void theCachesOfTheArchiveAreUsedUnlessTheyAreTurnedOff() throws Exception {
        Files.createDirectories(home.resolve("lib/aot"));
        Path command = Files.createFile(home.resolve("lib/aot/command.aot"));
        Path server = Files.createFile(home.resolve("lib/aot/server.aot"));

        assertThat(run(USED, "queues")).contains("-XX:AOTCache=" + command);
        assertThat(run(USED, "server")).contains("-XX:AOTCache=" + server);
        assertThat(run(USED, "demo")).noneMatch(word -> word.contains("AOT"));
        assertThat(run(Map.of(), "queues")).noneMatch(word -> word.contains("AOT"));
    }

    @Test
    void aTrainingCreatesBothCachesAndRemovesThoseOfBefore() throws Exception {
        Path caches = Files.createDirectories(folder.resolve("caches"));
        Files.createFile(caches.resolve("server-1.aot"));
        Path launcher = script("trained", """
            #!/bin/sh
            [ -z "$TASKMASTER_AOT_OUTPUT" ] || echo "$*" >"$TASKMASTER_AOT_OUTPUT"
            [ "$1" = server ] || exit 0
            echo 'INFO  TaskMaster serves version=1 listen="127.0.0.1:7777" http="127.0.0.1:8888"'
            trap 'exit 0' TERM
            while :; do sleep 0.1; done
            """);

        assertThat(train(launcher, caches)).isZero();
        assertThat(caches).isDirectoryNotContaining("glob:**-1.aot").isDirectoryNotContaining("glob:**training");
        assertThat(caches.resolve("server-2.aot")).content().startsWith("server --store rocksdb");
        assertThat(caches.resolve("command-2.aot")).hasContent("queues --server 127.0.0.1:7777");
    }

    @Test
    void aTrainingThatFailsLeavesWordSoThatItIsNotRepeated() throws Exception {
        Path caches = folder.resolve("caches");

        assertThat(train(script("trained", "#!/bin/sh\necho no such flag\nexit 1\n"), caches))
                .isNotZero();
        assertThat(caches.resolve("tried-2")).hasContent("no such flag");
        assertThat(caches).isDirectoryNotContaining("glob:**.aot").isDirectoryNotContaining("glob:**training");
    }

    private int train(Path launcher, Path caches) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        home.resolve("libexec/train.sh").toString(), launcher.toString(), caches.toString(), "-2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("training.txt").toFile())
                .start();
        return end(process);
    }

    /** Returns the jars of a command, relative to the archive. */
    private List<String> classPath(String... arguments) throws IOException, InterruptedException {
        List<String> words = run(Map.of(), arguments);
        return List.of(
                words.get(words.indexOf("-cp") + 1).replace(home + "/", "").split(":", -1));
    }

    /** Runs the launcher and returns the arguments of its Java. */
    private List<String> run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/taskmaster").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("TASKMASTER_OPTS");
        // Without it, a command would start a training, which would outlive the test and its folder.
        builder.environment().put("TASKMASTER_AOT", "off");
        builder.environment().putAll(environment);
        assertThat(end(builder.start())).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }

    private static int end(Process process) throws InterruptedException {
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Path script(String name, String text) throws IOException {
        Path script = home.resolve(name);
        Files.createDirectories(script.getParent());
        Files.writeString(script, text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
