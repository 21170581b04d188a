package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.taskmaster.bench.BenchCommandProvider;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests of {@code bench --store hbase} with very short rows: they check that it measures, not the figures. */
@ExtendWith(SharedHBase.class)
final class BenchIT {

    private static final List<String> BRIEF =
            List.of("--store=hbase", "--regions=4", "--warmup=0.1", "--seconds=2", "--outstanding=4", "--json");

    /** The only error that is permitted: on a slow machine a server may be overloaded, and refuse. */
    private static final String OVERLOADED = "RESOURCE_EXHAUSTED OVERLOADED";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void serverAndRawBatchesAreMeasuredOnAnHBaseThatRunsAndLeaveNoTableBehind() throws IOException {
        Map<String, JsonObject> rows = bench("raw", "enqueue", "--zookeeper=" + SharedHBase.zookeeper(), "--bytes=100");

        assertThat(rows).containsOnlyKeys("raw x1", "raw x50", "raw x200", "enqueue", "enqueue x50");
        assertThat(row(rows, "enqueue x50").get("limit").getAsString()).isEqualTo("raw x50");
        assertThat(row(rows, "enqueue x50").get("of_limit").getAsDouble()).isPositive();
        assertThat(row(rows, "raw x50").get("unit").getAsString()).contains("batch of 50 puts, FSYNC_WAL, 4 under way");
        assertThat(rows.values()).allSatisfy(row -> {
            assertThat(row.get("settings")
                            .getAsJsonObject()
                            .get("hbase.durability")
                            .getAsString())
                    .isEqualTo("fsync");
            assertThat(row.get("versions").getAsJsonObject().has("hbase")).isTrue();
        });
        assertThat(tables()).noneMatch(name -> name.startsWith("bench-"));
    }

    @Test
    @Slow
    void anHBaseOfItsOwnIsMeasuredWithoutSyncing() {
        Map<String, JsonObject> rows = bench("raw", "--no-sync");

        assertThat(row(rows, "raw x1").get("unit").getAsString()).contains("put, SYNC_WAL");
        JsonObject settings = row(rows, "raw x1").get("settings").getAsJsonObject();
        assertThat(settings.get("hbase.wal.hsync").getAsString()).isEqualTo("false");
        assertThat(settings.get("hbase.durability").getAsString()).isEqualTo("sync");
    }

    /**
     * Runs the command and checks that its rows have no other error.
     *
     * @return the rows by name
     */
    private Map<String, JsonObject> bench(String... arguments) {
        StringWriter out = new StringWriter();
        new CommandLine(new BenchCommandProvider().command())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .execute(Stream.of(List.of(arguments), BRIEF, List.of("--data=" + folder))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
        Map<String, JsonObject> rows = out.toString()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .collect(Collectors.toMap(row -> row.get("row").getAsString(), Function.identity()));
        assertThat(rows.values())
                .allSatisfy(row ->
                        assertThat(row.get("errors").getAsJsonObject().keySet()).isSubsetOf(OVERLOADED));
        return rows;
    }

    private static JsonObject row(Map<String, JsonObject> rows, String name) {
        return Objects.requireNonNull(rows.get(name), name);
    }

    private static List<String> tables() throws IOException {
        Configuration settings = HBaseConfiguration.create();
        settings.set("hbase.zookeeper.quorum", SharedHBase.zookeeper());
        try (Connection connection = ConnectionFactory.createConnection(settings);
                Admin admin = connection.getAdmin()) {
            return Stream.of(admin.listTableNames()).map(Object::toString).toList();
        }
    }
}
