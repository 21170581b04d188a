package io.taskmaster.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.config.LogFormat;
import io.taskmaster.proxy.config.ProcessConfig;
import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.proxy.config.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerConfigTest {

    private static final long HEAP = 256L << 20;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theDefaultsAreThoseThatScriptsRelyOn() {
        ServerConfig config = ServerConfig.reader(HEAP).read();

        assertThat(config.listen().rpc()).hasToString("127.0.0.1:7400");
        assertThat(config.listen().http()).hasToString("127.0.0.1:7480");
        assertThat(config.store().kind()).isEqualTo(StoreKind.ROCKSDB);
        assertThat(config.store().rocksDb().folder()).isEqualTo(Path.of("./data"));
        assertThat(config.store().partitions()).isEqualTo(256);
        assertThat(config.memory().windowBytes()).isEqualTo(64L << 20);
        assertThat(config.log().rowsInFlight()).isEqualTo(8);
        assertThat(config.log().maxWait()).hasMillis(10);
        assertThat(config.process().logFormat()).isEqualTo(LogFormat.TEXT);
    }

    @Test
    void workMayWaitLongerForAStoreThatIsFarAwayUnlessToldOtherwise() {
        SettingsReader<ServerConfig> far = ServerConfig.reader(HEAP).set("store", "hbase");

        assertThat(far.read().log().maxWait()).hasMillis(250);
        assertThat(far.set("log.wait", "20ms").read().log().maxWait()).hasMillis(20);
    }

    @Test
    void theFileCountsOverDefaultsAndFlagsOverTheFile() throws IOException {
        Path file = write("partitions = 16\nflush.interval = 250ms\n# a comment\nwindow.bytes=8 MiB\n");

        ServerConfig config =
                ServerConfig.reader(HEAP).file(file).set("partitions", "32").read();

        assertThat(config.store().partitions()).isEqualTo(32);
        assertThat(config.memory().flushInterval()).isEqualTo(Duration.ofMillis(250));
        assertThat(config.memory().windowBytes()).isEqualTo(8L << 20);
    }

    @Test
    void anUnknownKeyIsAnErrorThatNamesIt() throws IOException {
        Path file = write("partition = 16\n");

        assertThatThrownBy(() -> ServerConfig.reader(HEAP).file(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("partition: unknown setting")
                .hasMessageContaining("partitions");
    }

    @Test
    void aKeyThatComesTwiceIsAnErrorThatNamesIt() throws IOException {
        Path file = write("store=memory\nstore=rocksdb\n");

        assertThatThrownBy(() -> ServerConfig.reader(HEAP).file(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("duplicate key store");
    }

    @Test
    void aFileThatIsNotThereIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> ServerConfig.reader(HEAP).file(folder.resolve("none.properties")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.properties");
    }

    @ParameterizedTest
    @CsvSource({"'10%',100MiB", "'10%, at most 40MiB',40MiB", "'10%, at most 1GiB',100MiB", "'2MiB, at most 1%',2MiB"})
    void aShareOfTheHeapMayBeBounded(String given, String expected) {
        long heap = 1000L << 20;
        assertThat(ServerConfig.reader(heap)
                        .set("dirty.bytes", given)
                        .read()
                        .memory()
                        .dirtyBytes())
                .isEqualTo(ServerConfig.reader(heap)
                        .set("dirty.bytes", expected)
                        .read()
                        .memory()
                        .dirtyBytes());
    }

    @ParameterizedTest
    @CsvSource({"'15%',307200", "'15%, at most 1000',1000", "'15%, at most 1000000',307200", "7,7"})
    void howManyMayBeAShareOfTheHeap(String given, long expected) {
        assertThat(ServerConfig.reader(1000L << 20)
                        .set("queues.max", given)
                        .read()
                        .memory()
                        .maxQueues())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "listen,localhost",
        "listen,:7400",
        "listen,host:99999",
        "http,''",
        "hbase.regions,0",
        "hbase.durability,some",
        "hbase.table-prefix,a b",
        "bigtable.emulator,localhost",
        "node.take-over,perhaps",
        "store,postgres",
        "data,''",
        "partitions,0",
        "partitions,65537",
        "partitions,many",
        "window.bytes,1KiB",
        "window.bytes,64MB",
        "window.bytes,101%",
        "window.bytes,999999999999999GiB",
        "dirty.bytes,-1",
        "'dirty.bytes','12%, at most'",
        "'dirty.bytes','12%, at most much'",
        "queues.max,0",
        "queues.max,101%",
        "queues.max,64KiB",
        "queues.max,15% at most 5",
        "flush.interval,0ms",
        "flush.interval,1h",
        "flush.interval,10",
        "log.rows-in-flight,0",
        "log.rows-in-flight,65",
        "log.wait,0ms",
        "log.wait,1m",
        "refill.max-tasks,0",
        "in-flight.requests,0",
        "in-flight.bytes,1MiB",
        "history.queues,-1",
        "history.queues,1001",
        "history.pattern,(",
        "flow.family,(",
        "flow.family,.*",
        "flow.family,(a)(b)",
        "'flow.family','((?:a{1000}))'",
        "shutdown.timeout,2h",
        "log.format,xml",
    })
    void aValueThatCannotBeUsedIsAnErrorThatNamesTheKeyAndWhatWasExpected(String key, String value) {
        assertThatThrownBy(() -> ServerConfig.reader(HEAP).set(key, value).read())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining("(expected: ");
    }

    @Test
    void bigtableNeedsAProjectAndAnInstance() {
        SettingsReader<ServerConfig> reader = ServerConfig.reader(HEAP).set("store", "bigtable");
        assertThatThrownBy(reader::read).hasMessage("bigtable.project: empty (expected: a name if store=bigtable)");
        reader.set("bigtable.project", "p");
        assertThatThrownBy(reader::read).hasMessage("bigtable.instance: empty (expected: a name if store=bigtable)");

        ServerConfig config = reader.set("bigtable.instance", "i").read();
        assertThat(config.store().bigtable())
                .isEqualTo(new BigtableConfig("p", "i", Optional.empty(), Optional.empty()));
        assertThat(config.store().kind().isShared()).isTrue();
    }

    @Test
    void tlsNeedsCertificateAndKeyAndClientCertificatesAnAccessFile() {
        assertThat(ServerConfig.reader(HEAP).read().listen().tls()).isEmpty();
        assertThatThrownBy(() ->
                        ServerConfig.reader(HEAP).set("tls.certificate", "c").read())
                .isInstanceOf(ConfigException.class)
                .hasMessage("tls.key: empty (expected: a file, together with tls.certificate)");
        assertThatThrownBy(() -> ServerConfig.reader(HEAP).set("tls.key", "k").read())
                .hasMessage("tls.certificate: empty (expected: a file, together with tls.key)");
        SettingsReader<ServerConfig> reader = ServerConfig.reader(HEAP).set("tls.client-ca", "ca");
        assertThatThrownBy(reader::read)
                .hasMessage("tls.client-ca: ca (expected: empty, unless tls.certificate and access.file are set)");
        reader.set("tls.certificate", "c").set("tls.key", "k");
        assertThatThrownBy(reader::read).hasMessageStartingWith("tls.client-ca: ca");

        ServerConfig config = reader.set("access.file", "a").read();
        assertThat(config.access().file()).contains(Path.of("a"));
        assertThat(config.listen().tls())
                .contains(new TlsConfig(Path.of("c"), Path.of("k"), Optional.of(Path.of("ca"))));
    }

    @Test
    void bigtableHasNoNamespaces() {
        SettingsReader<ServerConfig> reader = ServerConfig.reader(HEAP)
                .set("store", "bigtable")
                .set("bigtable.project", "p")
                .set("bigtable.instance", "i")
                .set("hbase.table-prefix", "queues:tm.");

        assertThatThrownBy(reader::read)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("hbase.table-prefix: queues:tm. (expected: at most 43 letters");
    }

    @Test
    void eachPartValidatesItsOwnValues() {
        assertThatThrownBy(() -> new InFlightLimits(0, 64L << 20))
                .isInstanceOf(ConfigException.class)
                .hasMessage("in-flight.requests: 0 (expected: 1 to 10000000)");
        assertThatThrownBy(() -> new CommitLogConfig(8, Duration.ZERO))
                .hasMessage("log.wait: PT0S (expected: PT0.001S to PT10S)");
        assertThatThrownBy(() -> new ProcessConfig(LogFormat.TEXT, Duration.ofHours(2)))
                .hasMessage("shutdown.timeout: PT2H (expected: PT0S to PT1H)");
        assertThatThrownBy(() -> new RocksDbConfig(Path.of("data"), -1))
                .hasMessage("disk.reserve: -1 (expected: 0 to 9223372036854775807)");
    }

    @Test
    void thePageOfSettingsIsThatOfTheCode() throws IOException {
        List<String> documented = Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();

        List<String> expected = NodeSetting.all().stream()
                .map(setting ->
                        "| `%s` | `%s` | %s |".formatted(setting.key(), setting.defaultValue(), setting.description()))
                .toList();
        assertThat(documented).isEqualTo(expected);
    }

    private Path write(String content) throws IOException {
        return Files.writeString(folder.resolve("node.properties"), content, UTF_8);
    }
}
