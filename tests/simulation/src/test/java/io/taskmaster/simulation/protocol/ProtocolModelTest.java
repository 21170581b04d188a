package io.taskmaster.simulation.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.taskmaster.tests.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the protocol's model, which is in {@code src/test/protocol}: no promise is broken while all rules hold, and
 * one is broken for each rule that is taken back.
 */
final class ProtocolModelTest {

    private static final Path MODEL = Path.of("src", "test", "protocol", "moves.py");
    private static final int WORLDS = Profile.isSlow() ? 100_000 : 1_500;
    private static final int WORLDS_PER_RULE = Profile.isSlow() ? 50_000 : 1_500;

    /** The rules whose absence fewer than one in a thousand worlds show. */
    private static final Set<String> RARE = Set.of(
            "no_stamps",
            "newest_stamp_wins_only",
            "repeat_flush_write",
            "close_with_round_in_flight",
            "serve_after_close",
            "drop_unclean_end_early",
            "duel_with_an_older_map");

    /** The end of a run of the model. */
    private record Outcome(int status, String output) {}

    @Test
    void noPromiseIsBrokenWhileAllRulesHold() throws Exception {
        assertThat(run("--runs", String.valueOf(WORLDS))).isEqualTo(0);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aPromiseIsBrokenWithout(String rule) throws Exception {
        assumeTrue(Profile.isSlow() || !RARE.contains(rule), "rare, so only with -Pslow");
        assertThat(run(rule, "--runs", String.valueOf(WORLDS_PER_RULE))).isEqualTo(0);
    }

    static Stream<String> rules() throws Exception {
        List<String> rules = execute("--list").output().lines().toList();
        assertThat(rules).containsAll(RARE).hasSizeGreaterThan(20);
        return rules.stream();
    }

    /** Returns the exit status; prints what the model says. */
    private static int run(String... arguments) throws Exception {
        Outcome outcome = execute(arguments);
        System.out.print(outcome.output());
        return outcome.status();
    }

    private static Outcome execute(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", "-B", MODEL.toString()));
        command.addAll(List.of(arguments));
        Process model = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(model.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(model.waitFor(), output);
    }
}
