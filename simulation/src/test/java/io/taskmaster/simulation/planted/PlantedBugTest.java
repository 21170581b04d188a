package io.taskmaster.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.simulation.Hunt;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A proof that cannot fail is none: each {@link PlantedBug} is found by the simulation, within the seeds that every build runs. The
 * table of bugs and seeds is printed at the end.
 */
final class PlantedBugTest {

    /** As many as a build tries without a bug. */
    private static final long SEEDS = Long.getLong("simulation.planted.seeds", 2_000);

    /** Worlds that are run beside each other. */
    private static final long AT_ONCE = 32;

    private static final List<String> TABLE = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void eachBugIsFound(PlantedBug bug) throws ReflectiveOperationException {
        LongFunction<String> hunt = huntIn(PatchedServer.with(bug));
        OptionalLong found = firstOutOfOrder(hunt, SEEDS);
        TABLE.add("| %s | %s | %s |"
                .formatted(
                        bug.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                        found.isPresent() ? found.getAsLong() + 1 : "-",
                        found.isPresent() ? firstLine(hunt.apply(found.getAsLong())) : "not found"));
        assertThat(found).as("worlds until %s is found", bug).isPresent();
    }

    @Test
    void withoutABugNothingIsFound() throws ReflectiveOperationException {
        assertThat(firstOutOfOrder(huntIn(PatchedServer.unchanged()), 100)).isEmpty();
    }

    @Test
    void aBugThatDoesNotFitItsSourceIsAnError() {
        assertThatThrownBy(() -> PlantedBug.A_STRANGER_RENEWS.plantedIn("class UpdateDecision {}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has the code changed");
    }

    @AfterAll
    static void printTheTable() {
        System.out.println("| planted bug | worlds until found | what shows it |\n|---|---|---|");
        TABLE.forEach(System.out::println);
    }

    private static OptionalLong firstOutOfOrder(LongFunction<String> hunt, long seeds) {
        for (long first = 0; first < seeds; first += AT_ONCE) {
            OptionalLong found = LongStream.range(first, Math.min(seeds, first + AT_ONCE))
                    .parallel()
                    .filter(seed -> !hunt.apply(seed).isEmpty())
                    .min();
            if (found.isPresent()) {
                return found;
            }
        }
        return OptionalLong.empty();
    }

    /** The hunt of that server: a class of the same name, but not the same class. */
    private static LongFunction<String> huntIn(PatchedServer server) throws ReflectiveOperationException {
        return asFunction(
                server.loadClass(Hunt.class.getName()).getMethod("hunt").invoke(null));
    }

    @SuppressWarnings("unchecked") // the types of what it returns are the JDK's, so they are the same in both
    private static LongFunction<String> asFunction(Object hunt) {
        return (LongFunction<String>) hunt;
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() < 160 ? line : line.substring(0, 160) + "...";
    }
}
