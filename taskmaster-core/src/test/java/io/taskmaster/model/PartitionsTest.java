package io.taskmaster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PartitionsTest {

    /** Checks the numbers, which are stored on disk: a change loses every task of the groups that move. */
    @ParameterizedTest
    @CsvSource({
        "'', 256, 79",
        "a, 256, 227",
        "default, 256, 45",
        "crawl, 256, 38",
        "com.example.www, 256, 219",
        "grüße, 256, 239",
        "crawl, 1, 0",
        "crawl, 7, 3",
        "'a group name that is longer than sixty-four bytes, for the hash has a case of its own for such', 256, 255",
    })
    void groupStaysInItsPartitionForEver(String group, int count, int partition) {
        assertThat(Partitions.partitionOf(GroupName.of(group), count)).isEqualTo(partition);
    }

    @Test
    void groupsSpreadEvenly() {
        int[] groups = new int[Partitions.DEFAULT_COUNT];
        IntStream.range(0, 256_000)
                .map(i -> Partitions.partitionOf(GroupName.of("group-" + i), Partitions.DEFAULT_COUNT))
                .forEach(partition -> groups[partition]++);
        assertThat(IntStream.of(groups)).allMatch(count -> count > 800 && count < 1200);
    }
}
