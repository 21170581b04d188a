package io.taskmaster.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class DemoOptionsTest {

    static Stream<Arguments> runs() {
        return Stream.of(
                Arguments.of(List.of("--fresh", "--keep"), ""),
                Arguments.of(List.of("--dir=a/b"), " --dir a/b"),
                Arguments.of(List.of("--dir=it's here"), " --dir 'it'\\''s here'"),
                Arguments.of(List.of("--server", "queue.test:7401"), " --server queue.test:7401"),
                Arguments.of(List.of("--store=HBase"), " --store hbase"),
                Arguments.of(
                        List.of("--zookeeper=z.test:2182", "--store=hbase", "--dir=x"),
                        " --dir x --store hbase --zookeeper z.test:2182"));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void anotherRunHasTheSameFolderAndServerOrStore(List<String> arguments, String options) {
        assertThat(again(arguments)).endsWith("taskmaster demo" + options);
    }

    @Test
    void theCommandOfAnotherRunMeansTheSame() {
        String again = again(List.of("--store=hbase", "--zookeeper=z.test:2182", "--dir=x"));
        assertThat(again(List.of(again.split(" ")).subList(2, 8))).isEqualTo(again);
    }

    private static String again(List<String> arguments) {
        var demo = new FakeDemo();
        new CommandLine(demo).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.toArray(String[]::new));
        return demo.options.again();
    }

    @Command(name = "demo")
    private static final class FakeDemo {

        @Mixin
        private final DemoOptions options = new DemoOptions("demo", FakeDemo.class);
    }
}
