package io.taskmaster.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.simulation.planted.BugHunt.Found;
import io.taskmaster.simulation.planted.PlantedBug.Seen;
import io.taskmaster.tests.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the simulation itself: it must find each {@link PlantedBug}, since a check that cannot fail proves nothing.
 * A build hunts in one kind of runs, those of one partition if they can show the bug; the profile {@code slow} hunts in
 * each kind that can, and with the oracle alone if clients can notice it. {@code -Dsimulation.planted.table=true}
 * produces the whole table, which takes several times longer.
 */
final class PlantedBugTest {

    /** The number of runs within which a bug must show. */
    private static final long WORLDS = Long.getLong("simulation.planted.seeds", 2_000);

    private static final boolean WHOLE_TABLE = Boolean.getBoolean("simulation.planted.table");

    private static final boolean EACH_KIND = Profile.isSlow() || WHOLE_TABLE;

    private static final List<String> TABLE = new ArrayList<>();

    /**
     * The first runs that show those bugs that few runs show. A build begins its hunt there, so that it need not repeat
     * the runs before that show nothing; if the code has changed since, it goes on with the first.
     */
    private static final Map<PlantedBug, Long> SHOWN_BY = Map.ofEntries(
            Map.entry(PlantedBug.REQUEST_IDS_ARE_NOT_RECOVERED, 73L),
            Map.entry(PlantedBug.ROWS_ARE_WRITTEN_BEFORE_THE_LOG, 15L),
            Map.entry(PlantedBug.REQUEST_IDS_ARE_NOT_STORED, 52L),
            Map.entry(PlantedBug.A_LEASE_PASSES_OVER_STORED_TASKS, 18L),
            Map.entry(PlantedBug.TIME_JUMPS_WITH_THE_CLOCK, 24L),
            Map.entry(PlantedBug.A_RERUN_IS_LOST_AT_RELEASE, 185L),
            Map.entry(PlantedBug.A_LEASE_OVER_ALL_GROUPS_LOSES_TASKS, 12L),
            Map.entry(PlantedBug.A_LEASE_OVER_ALL_GROUPS_PASSES_OVER_A_PARTITION, 14L),
            Map.entry(PlantedBug.A_LEASE_TAKES_MORE_THAN_IT_MAY, 19L),
            Map.entry(PlantedBug.A_DESCRIPTION_FORGETS_A_PARTITION, 107L),
            Map.entry(PlantedBug.A_HALF_DONE_DELETION_IS_CALLED_REFUSED, 646L),
            Map.entry(PlantedBug.A_PAGE_PASSES_OVER_QUEUES, 12L),
            Map.entry(PlantedBug.A_REFUSED_REQUEST_STAYS_IN_FLIGHT, 473L));

    @ParameterizedTest
    @EnumSource
    void eachBugIsFoundByWhoCanSeeIt(PlantedBug bug) {
        PatchedServer server = PatchedServer.with(bug);
        Optional<Long> known = EACH_KIND ? Optional.empty() : Optional.ofNullable(SHOWN_BY.get(bug));
        Optional<Found> partition = hunt(server, known, bug.isInThePartition(), "partition");
        boolean inNodes = EACH_KIND || !bug.isInThePartition();
        Optional<Found> oracle =
                hunt(server, known, inNodes && (bug.seen() == Seen.BY_CLIENTS || WHOLE_TABLE), "oracle");
        Optional<Found> node = hunt(server, known, inNodes && (bug.seen() == Seen.INSIDE || WHOLE_TABLE), "node");
        TABLE.add("| %s | %s | %s | %s | %s |"
                .formatted(
                        bug.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        worlds(partition),
                        worlds(node),
                        worlds(oracle),
                        oracle.map(found -> found.objection().split(":", 2)[0]).orElse("")));
        if (bug.isInThePartition()) {
            assertThat(partition).as("found in worlds of one partition").isPresent();
        }
        if (inNodes) {
            switch (bug.seen()) {
                case BY_CLIENTS -> assertThat(oracle).as("found by the oracle").isPresent();
                case INSIDE -> assertThat(node).as("found in worlds of nodes").isPresent();
                case IN_ONE_PARTITION -> {}
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"partition", "node", "oracle"})
    void withoutABugNothingIsFound(String kind) {
        assertThat(BugHunt.in(PatchedServer.unchanged(), kind).first(50)).isEmpty();
    }

    @Test
    void aBugThatDoesNotFitItsSourceIsAnError() {
        assertThatThrownBy(() -> PlantedBug.A_STRANGER_RENEWS.plantedIn("class UpdateDecision {}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has the code changed");
    }

    @AfterAll
    static void printTheTable() {
        System.out.println(
                "| planted bug | one partition | nodes | the oracle | what it names |\n|---|---|---|---|---|");
        TABLE.forEach(System.out::println);
    }

    private static Optional<Found> hunt(PatchedServer server, Optional<Long> known, boolean called, String kind) {
        if (!called) {
            return Optional.empty();
        }
        BugHunt hunt = BugHunt.in(server, kind);
        return known.flatMap(hunt::at).or(() -> hunt.first(WORLDS));
    }

    private static String worlds(Optional<Found> found) {
        return found.map(world -> String.valueOf(world.worlds())).orElse("-");
    }
}
