package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.common.Environment;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of option values from environment variables and profiles. */
final class DefaultsTest {

    /** An address where no server listens. */
    private static final String NOBODY = "127.0.0.1:1";

    private final FakeContract service;
    private final Map<String, String> variables = new HashMap<>();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path home = Path.of("");

    private Path profiles = Path.of("");

    DefaultsTest() throws IOException {
        service = new FakeContract();
    }

    @BeforeEach
    void makeFolder() throws IOException {
        Path folder = home.resolve(".config/taskmaster");
        Files.createDirectories(folder);
        profiles = folder.resolve("profiles.properties");
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void anOptionComesBeforeAVariableBeforeAProfile() throws IOException {
        profiles("default.server = " + service.address(), "default.group = profile");
        assertThat(run("enqueue q d")).isZero();
        assertThat(groups()).containsExactly("profile");

        profiles("default.server = " + NOBODY, "default.group = profile");
        variables.put("TASKMASTER_SERVER", service.address());
        variables.put("TASKMASTER_GROUP", "variable");
        assertThat(run("enqueue q d")).isZero();
        assertThat(groups()).containsExactly("variable");

        variables.put("TASKMASTER_SERVER", NOBODY);
        assertThat(run("enqueue q d --group option --server " + service.address()))
                .isZero();
        assertThat(groups()).containsExactly("option");
    }

    @Test
    void aProfileIsChosenByOptionBeforeVariableBeforeItsNameDefault() throws IOException {
        variables.put("TASKMASTER_SERVER", service.address());
        profiles("default.group = a", "b.group = b", "c.d.group = base64:Yw==");
        run("enqueue q d");
        variables.put("TASKMASTER_PROFILE", "b");
        run("enqueue q d");
        run("enqueue q d --profile c.d");
        assertThat(groups()).containsExactly("a", "b", "c");
    }

    @Test
    void anEmptyVariableIsNone() throws IOException {
        profiles("default.server = " + service.address());
        variables.put("TASKMASTER_SERVER", "");
        variables.put("TASKMASTER_CA", "");
        assertThat(run("enqueue q d")).isZero();
    }

    @Test
    void profilesAreInTheFolderOfXdgIfThatIsSet() throws IOException {
        Path elsewhere = home.resolve("xdg");
        Files.createDirectories(elsewhere.resolve("taskmaster"));
        Files.writeString(
                elsewhere.resolve("taskmaster/profiles.properties"), "default.server = " + service.address(), UTF_8);
        profiles("default.server = " + NOBODY);
        variables.put("XDG_CONFIG_HOME", elsewhere.toString());
        assertThat(run("enqueue q d")).isZero();
    }

    @Test
    void aRelativePathInAProfileStartsAtItsFolderAndATildeAtHome() throws IOException {
        profiles("default.ca = ca.pem", "tilde.ca = ~/certificates/ca.pem");
        assertThat(run("enqueue q d --server " + service.address())).isEqualTo(2);
        assertOneLine(profiles.resolveSibling("ca.pem").toString());
        assertThat(run("enqueue q d --profile tilde --server " + service.address()))
                .isEqualTo(2);
        assertOneLine(home.resolve("certificates/ca.pem").toString());
    }

    @ParameterizedTest
    @CsvSource({
        "default.sevrer = h, default.sevrer: unknown key",
        "server = h, server: unknown key",
        ".server = h, .server: unknown key",
        "default.group = base64:*, default.group: ",
        "default.timeout = soon, default.timeout: soon",
        "default.tls = yes, default.tls: yes (expected: true or false)",
        "default.ca = \\u000, Malformed",
        "default.token-file = none, default.token-file: ",
        "default.certificate = c, default.certificate: given alone",
        "default.key = k, default.key: given alone",
        "other.grup = g, other.grup: unknown key"
    })
    void aWrongFileIsRefusedInOneLineThatNamesFileAndKey(String line, String said) throws IOException {
        variables.put("TASKMASTER_SERVER", service.address());
        profiles(line);
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine(home.resolve(".config/taskmaster") + "/");
        assertOneLine(said);
        assertThat(service.requests).isEmpty();
    }

    @Test
    void aWrongServerInAProfileIsRefused() throws IOException {
        profiles("default.server = h:port");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine(profiles + ": default.server: h:port (expected: HOST or HOST:PORT)");
    }

    @Test
    void credentialsOfAProfileStayAwayFromOtherServers() throws IOException {
        // No call can be made with any of these files: whoever reads one fails.
        for (String credentials :
                List.of("default.token-file = none", "default.certificate = none\ndefault.key = none")) {
            profiles("default.server = " + NOBODY, credentials);
            assertThat(run("enqueue q d --server " + service.address())).isZero();
            variables.put("TASKMASTER_SERVER", service.address());
            assertThat(run("enqueue q d")).isZero();
            variables.put("TASKMASTER_PROFILE", "default");
            assertThat(run("enqueue q d")).isZero();
            assertThat(run("enqueue q d --profile default")).isEqualTo(2);
            assertOneLine("none");
            variables.clear();
        }
    }

    @Test
    void credentialsOfAProfileGoToItsOwnServerAndWithoutOneToAny() throws IOException {
        String address = service.address();
        profiles("default.server = " + address, "default.token-file = none", "b.token-file = none");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertThat(run("enqueue q d --server " + address)).isEqualTo(2);
        variables.put("TASKMASTER_PROFILE", "b");
        assertThat(run("enqueue q d --server " + address)).isEqualTo(2);
        assertOneLine(profiles + ": b.token-file: " + profiles.resolveSibling("none"));
        assertThat(service.requests).isEmpty();
    }

    @Test
    void aTokenFileThatCannotBeReadIsRefusedByItsOrigin() {
        Path none = home.resolve("none");
        variables.put("TASKMASTER_TOKEN_FILE", none.toString());
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine("TASKMASTER_TOKEN_FILE: " + none);
        assertThat(run("enqueue q d --token-file none")).isEqualTo(2);
        assertOneLine("--token-file: none");
    }

    @Test
    void aCertificateOrKeyAloneIsRefusedByItsOption() {
        assertThat(run("enqueue q d --certificate c")).isEqualTo(2);
        assertOneLine("--certificate: given alone (expected: together with --key)");
        assertThat(run("enqueue q d --key k")).isEqualTo(2);
        assertOneLine("--key: given alone (expected: together with --certificate)");
    }

    @Test
    void aKeyThatIsGivenTwiceIsRefused() throws IOException {
        profiles("default.group = a", "default.group = b");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine(profiles + ": default.group is given twice");
    }

    @Test
    void aProfileThatIsNotThereIsRefused() throws IOException {
        assertThat(run("enqueue q d --profile work")).isEqualTo(2);
        assertOneLine("profile: work (expected: one of those in " + profiles + ")");

        profiles("a.group = a", "b.group = b");
        variables.put("TASKMASTER_PROFILE", "work");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine("profile: work (expected: one of [a, b] in " + profiles + ")");
    }

    @Test
    void aWrongVariableIsRefusedByItsName() {
        variables.put("TASKMASTER_SERVER", ":7400");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine("TASKMASTER_SERVER: :7400 (expected: HOST or HOST:PORT)");

        variables.remove("TASKMASTER_SERVER");
        variables.put("TASKMASTER_GROUP", "base64:*");
        assertThat(run("enqueue q d")).isEqualTo(2);
        assertOneLine("TASKMASTER_GROUP: ");
    }

    @Test
    void aGroupFromElsewhereDoesNotConcernAnImport() {
        variables.put("TASKMASTER_GROUP", "g");
        assertThat(run("import " + home.resolve("none.tma"))).isEqualTo(1);
        assertOneLine("none.tma");
        assertThat(run("import none.tma --group g")).isEqualTo(2);
    }

    private void profiles(String... lines) throws IOException {
        Files.write(profiles, List.of(lines), UTF_8);
    }

    private List<String> groups() {
        List<String> groups = service.requests.stream()
                .map(request -> ((UpdateRequest) request).getGroup().toStringUtf8())
                .toList();
        service.requests.clear();
        return groups;
    }

    private void assertOneLine(String text) {
        assertThat(err.toString()).startsWith("taskmaster: ").contains(text).hasLineCount(1);
    }

    private int run(String line) {
        err.getBuffer().setLength(0);
        var terminal = new Terminal(
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                false,
                Clock.system(),
                new Environment(variables, Optional.of(home)));
        return new Commands(terminal, List.of()).run(line.split(" ", -1));
    }
}
