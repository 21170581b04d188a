package io.taskmaster.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the completion of a small command line in fish. */
final class FishCompletionTest {

    private final List<String> lines =
            FishCompletion.of(SmallCommandLine.spec()).lines().toList();

    @Test
    void subcommandsAreOfferedWhereNoneIsGivenYet() {
        assertThat(lines)
                .contains(
                        "complete -c tool -f -n '__fish_use_subcommand' -a copy -d 'Copies a file'",
                        "complete -c tool -f -n '__fish_seen_subcommand_from box; and not __fish_seen_subcommand_from"
                                + " open' -a open -d 'Opens a box'");
    }

    @Test
    void optionsAreOfferedAfterTheirCommandWithTheValuesThatAreKnown() {
        String after = "complete -c tool -n '__fish_seen_subcommand_from copy'";
        assertThat(lines)
                .contains(
                        after + " -s t -l to -r -F -d 'The target.'",
                        after + " -l mode -x -a 'FAST SAFE' -d 'The way.'",
                        after + " -l times -x -d 'The number of copies.'",
                        after + " -l quiet -d 'Doesn\\'t print anything.'");
    }

    @Test
    void whatTheHelpHidesIsNotOffered() {
        assertThat(lines).noneMatch(line -> line.contains("inner") || line.contains("secret"));
    }
}
