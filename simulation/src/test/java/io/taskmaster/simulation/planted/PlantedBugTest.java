package io.taskmaster.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.simulation.planted.BugHunt.Found;
import io.taskmaster.simulation.planted.PlantedBug.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A proof that cannot fail is none: each {@link PlantedBug} is found by the simulation, within the worlds that every build runs, in each
 * kind of worlds that can show it, and by the oracle alone if clients can. {@code -Dsimulation.planted.table=true} makes the whole
 * table, which takes several times longer: a build stops hunting in worlds of nodes once the oracle has found a bug.
 */
final class PlantedBugTest {

    /** As many as a build tries without a bug. */
    private static final long WORLDS = Long.getLong("simulation.planted.seeds", 2_000);

    private static final boolean WHOLE_TABLE = Boolean.getBoolean("simulation.planted.table");

    private static final List<String> TABLE = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void eachBugIsFoundByWhoCanSeeIt(PlantedBug bug) {
        PatchedServer server = PatchedServer.with(bug);
        Optional<Found> partition = hunt(server, bug.isInThePartition(), "partition");
        Optional<Found> oracle = hunt(server, bug.seen() == Seen.BY_CLIENTS || WHOLE_TABLE, "oracle");
        Optional<Found> node = hunt(server, bug.seen() == Seen.INSIDE || WHOLE_TABLE, "node");
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
        switch (bug.seen()) {
            case BY_CLIENTS -> assertThat(oracle).as("found by the oracle").isPresent();
            case INSIDE -> assertThat(node).as("found in worlds of nodes").isPresent();
            case IN_ONE_PARTITION -> {}
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

    private static Optional<Found> hunt(PatchedServer server, boolean called, String kind) {
        return called ? BugHunt.in(server, kind).first(WORLDS) : Optional.empty();
    }

    private static String worlds(Optional<Found> found) {
        return found.map(world -> String.valueOf(world.worlds())).orElse("-");
    }
}
