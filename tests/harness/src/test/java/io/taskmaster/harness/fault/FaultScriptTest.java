package io.taskmaster.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.harness.fault.FaultKind.Part;
import io.taskmaster.harness.fault.FaultScript.Episode;
import io.taskmaster.harness.relay.ByteFlow;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FaultScriptTest {

    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
    private static final Set<Part> TAKE_TURNS = EnumSet.of(Part.SERVER, Part.MACHINE);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void theSameSeedMakesTheSameScript() {
        assertThat(FaultScript.draw(7, ALL, MINUTE)).isEqualTo(FaultScript.draw(7, ALL, MINUTE));
        assertThat(FaultScript.draw(7, ALL, MINUTE).episodes())
                .isNotEqualTo(FaultScript.draw(8, ALL, MINUTE).episodes());
    }

    /** Verifies that seeds stay valid: a seed that was written down must make the same script forever. */
    @Test
    void aSeedMakesTheScriptThatItAlwaysMade() {
        Set<FaultKind> former = FaultKind.ofParts(Part.SERVER, Part.NETWORK, Part.WORKERS);
        assertThat(FaultScript.draw(4711, former, Duration.ofSeconds(10)).episodes())
                .containsExactly(
                        episode(1_812, 2_501, new Fault.Stall(Set.of(ByteFlow.REPLIES))),
                        episode(2_523, 7_278, new Fault.StopWorker(51_061)),
                        episode(3_258, 3_990, new Fault.Stop()),
                        episode(5_697, 8_637, new Fault.Slow(Duration.ofMillis(127))),
                        episode(7_127, 7_421, new Fault.Restart()));
        assertThat(FaultScript.draw(4711, former, Duration.ofMinutes(10)).episodes())
                .hasSize(336);
    }

    @Test
    void everyKindThatWasAskedForComesUpAndNoOther() {
        for (long seed = 0; seed < 100; seed++) {
            assertThat(FaultScript.draw(seed, ALL, MINUTE).episodes())
                    .extracting(episode -> episode.fault().kind())
                    .containsAll(ALL);
            assertThat(FaultScript.draw(seed, EnumSet.of(FaultKind.STOP), MINUTE)
                            .episodes())
                    .isNotEmpty()
                    .allMatch(episode -> episode.fault().equals(new Fault.Stop()));
        }
    }

    @Test
    void faultsOfAPartNeverOverlapAndAllEndInTime() {
        for (long seed = 0; seed < 100; seed++) {
            List<Episode> episodes = FaultScript.draw(seed, ALL, MINUTE).episodes();
            for (FaultKind.Part part : FaultKind.Part.values()) {
                Duration free = Duration.ZERO;
                for (Episode episode : episodes) {
                    if (episode.fault().kind().part() == part) {
                        assertThat(episode.begin()).isGreaterThanOrEqualTo(free);
                        free = episode.end();
                    }
                }
                assertThat(free).isLessThanOrEqualTo(MINUTE);
            }
        }
    }

    @Test
    void whatHappensToAPartDoesNotDependOnTheOthers() {
        List<Episode> servers = FaultScript.draw(3, ALL, MINUTE).episodes().stream()
                .filter(episode -> TAKE_TURNS.contains(episode.fault().kind().part()))
                .toList();

        assertThat(FaultScript.draw(3, FaultKind.ofParts(Part.SERVER, Part.MACHINE), MINUTE)
                        .episodes())
                .isEqualTo(servers);
    }

    @Test
    void theFaultsOfAStoreLeaveThoseOfOthersAsTheyAre() {
        List<Episode> others = FaultScript.draw(5, ALL, MINUTE).episodes().stream()
                .filter(episode -> episode.fault().kind().part() != FaultKind.Part.STORE)
                .toList();

        assertThat(FaultScript.draw(5, FaultKind.ofParts(Part.SERVER, Part.MACHINE, Part.NETWORK, Part.WORKERS), MINUTE)
                        .episodes())
                .isEqualTo(others);
    }

    @Test
    void aScriptWithoutKindsHasNoFaults() {
        assertThat(FaultScript.draw(1, Set.of(), MINUTE).episodes()).isEmpty();
    }

    @Test
    void kindsHaveWordsThatArePartOfTheCommandLine() {
        assertThat(FaultKind.values()).allMatch(kind -> FaultKind.of(kind.word()) == kind);
        assertThat(FaultKind.KILL_WORKER.word()).isEqualTo("kill-worker");
        assertThatThrownBy(() -> FaultKind.of("flood"))
                .hasMessage("fault: flood (expected: one of kill, stop, restart, disconnect, stall, slow, kill-worker, "
                        + "stop-worker, kill-region-server, stop-region-server, kill-data-node, stop-data-node, "
                        + "disk, descriptors, clock)");
    }

    private static Episode episode(long beginMillis, long endMillis, Fault fault) {
        return new Episode(Duration.ofMillis(beginMillis), Duration.ofMillis(endMillis), fault);
    }
}
