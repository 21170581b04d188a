package io.taskmaster.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.report.Peers.Discipline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTableTest {

    private static final Subject SUBJECT = new Subject(
            "hbase", ImmutableMap.of("hbase.wal.hsync", "true"), ImmutableMap.of("taskmaster", "1.2", "hbase", "2.6"));

    private final Row limit = Row.rate("echo", "an echo", measurement(130_000, Map.of()));
    private final Row enqueue = Row.rate("enqueue", "an \"update\"", measurement(65_000, Map.of("UNAVAILABLE", 3L)))
            .boundBy("echo")
            .against(Optional.of(Discipline.ENQUEUE));
    private final Row delete =
            Row.event("delete", "a delete", Measurement.ofSamples(Duration.ofMillis(4)), "name usable at once");

    @Test
    void columnsAreAligned() {
        String[] lines = new ReportTable(SUBJECT, List.of(limit, enqueue, delete))
                .render(TableStyle.ALIGNED)
                .split("\n", -1);
        assertThat(lines[0]).startsWith("row ").endsWith("of peer");
        int end = lines[0].indexOf("tasks/s") + "tasks/s".length();
        assertThat(lines[1].substring(0, end)).isEqualTo("echo     130,000  130,000");
        assertThat(lines[2].substring(0, end)).isEqualTo("enqueue   65,000   65,000");
        assertThat(lines[3].substring(0, end)).isEqualTo("delete         -        -");
    }

    @Test
    void ratiosAreThoseToLimitAndPeer() {
        String text = new ReportTable(SUBJECT, List.of(limit, enqueue, delete)).render(TableStyle.ALIGNED);
        assertThat(text.split("\n", -1)[2]).endsWith("3      50 %    2.0 x");
    }

    @Test
    void aLimitThatWasNotRunGivesNoRatio() {
        Comparison alone = new Comparison(List.of(enqueue));
        assertThat(alone.ofLimit(enqueue)).isEmpty();
        assertThat(alone.ofPeer(enqueue)).hasValue(2.0);
        assertThat(alone.ofPeer(limit)).isEmpty();
    }

    @Test
    void errorsAndNotesAreNeverHidden() {
        assertThat(new ReportTable(SUBJECT, List.of(enqueue, delete)).render(TableStyle.ALIGNED))
                .contains("ERROR UNAVAILABLE: 3")
                .contains("name usable at once")
                .contains("measured on another machine");
    }

    @Test
    void whatWasMeasuredIsSaidBelowTheTable() {
        assertThat(new ReportTable(SUBJECT, List.of(limit)).render(TableStyle.ALIGNED))
                .contains("\nstore: hbase; settings: hbase.wal.hsync=true; versions: taskmaster 1.2, hbase 2.6\n");
    }

    @Test
    void markdownCanBePasted() {
        String[] lines = new ReportTable(SUBJECT, List.of(limit, enqueue))
                .render(TableStyle.MARKDOWN)
                .split("\n", -1);
        assertThat(lines[0]).startsWith("| row | ops/s |").endsWith(" of peer |");
        assertThat(lines[1]).startsWith("| --- | --- |").endsWith("| --- |");
        assertThat(lines[2]).startsWith("| echo | 130,000 | 130,000 |");
        assertThat(lines[3]).startsWith("| enqueue |").endsWith("| 3 | 50 % | 2.0 x |");
        assertThat(lines).contains("  - ERROR UNAVAILABLE: 3").anyMatch(line -> line.startsWith("- store: hbase"));
    }

    @Test
    void jsonIsOneObjectOnOneLine() {
        String line = JsonLine.of(SUBJECT, enqueue, new Comparison(List.of(limit, enqueue)));
        assertThat(line)
                .startsWith("{\"row\":\"enqueue\",\"unit\":\"an \\\"update\\\"\",")
                .contains("\"tasks_per_s\":65000.000")
                .contains("\"p99_ms\":2.")
                .contains("\"errors\":{\"UNAVAILABLE\":3}")
                .contains("\"limit\":\"echo\",\"of_limit\":0.500")
                .contains("\"of_peer\":2.000")
                .contains("\"store\":\"hbase\",\"settings\":{\"hbase.wal.hsync\":\"true\"}")
                .contains("\"versions\":{\"taskmaster\":\"1.2\",\"hbase\":\"2.6\"}")
                .endsWith("}")
                .doesNotContain("\n");
        assertThat(JsonLine.of(SUBJECT, delete, new Comparison(List.of())))
                .contains("\"tasks_per_s\":null")
                .contains("\"of_limit\":null");
    }

    private static Measurement measurement(long tasks, Map<String, Long> errors) {
        return new Measurement(Latencies.of(Duration.ofMillis(2)), tasks, tasks, tasks, errors, Duration.ofSeconds(1));
    }
}
