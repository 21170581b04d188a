package io.taskmaster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.bench.workload.Workload;
import io.taskmaster.cli.CommandProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {

    private final StringWriter errors = new StringWriter();

    @Test
    void theProgramFindsTheCommand() {
        assertThat(ServiceLoader.load(CommandProvider.class))
                .extracting(CommandProvider::name)
                .contains("bench");
    }

    @ParameterizedTest
    @CsvSource({
        "--clients=0, clients",
        "--outstanding=0, outstanding",
        "--batch=0, --batch",
        "--seconds=0, timing",
        "--server=localhost:port, --server",
        "--zookeeper=localhost:2181, only with --store hbase",
        "--no-sync, only with --store hbase",
        "--store=hbase --regions=0, regions",
        "--store=hbase --region-server-heap=1, --region-server-heap",
        "--store=hbase --zookeeper=localhost:2181 --region-server-heap=2048, absent with --zookeeper",
        "nonsense, nonsense",
        "seda --seconds=0, --seconds",
        "seda nonsense, nonsense"
    })
    void wrongUsageIsNamedBeforeAnythingStarts(String arguments, String named) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains(named);
    }

    @Test
    void theTableHoldsEveryRowOfTheDesign() {
        assertThat(Plan.rows(List.of(Plan.values()), List.of(1, 50)))
                .extracting(Workload::row)
                .doesNotHaveDuplicates()
                .contains("echo", "echo x50", "raw x1", "raw x50", "raw x200")
                .contains("enqueue", "enqueue x50", "fifo", "fifo x50")
                .contains("lease", "lease x50", "handoff", "stage")
                .contains("collide 0%", "collide 10%", "collide 50%", "collide 90%", "collide 100%")
                .contains("random", "delete", "recovery", "queues", "isolation");
    }

    @Test
    void limitsComeFirstWhateverTheOrderOfTheNames() {
        assertThat(Plan.rows(List.of(Plan.FIFO, Plan.ECHO, Plan.FIFO), List.of(1)))
                .extracting(Workload::row)
                .containsExactly("echo", "echo-pair", "fifo");
    }

    private int run(String... arguments) {
        return new CommandLine(new BenchCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}
