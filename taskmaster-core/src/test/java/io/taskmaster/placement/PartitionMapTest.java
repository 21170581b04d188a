package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PartitionMapTest {

    private static final NodeRef A = new NodeRef("a", 1, "a:7400");
    private static final NodeRef B = new NodeRef("b", -1, "b:7400");

    @Test
    void ownerIsNamedByIdAndIncarnation() {
        assertThat(A.ownerName()).isEqualTo("a#0000000000000001");
        assertThat(B.ownerName()).isEqualTo("b#ffffffffffffffff");
    }

    @Test
    void incarnationsAreOrderedAsUnsignedNumbers() {
        NodeRef later = new NodeRef("a", -1, "a:7400");
        assertThat(later).isGreaterThan(A).isLessThan(B);
        assertThat(later.isOtherLifeOf(A)).isTrue();
        assertThat(A.isOtherLifeOf(A)).isFalse();
        assertThat(B.isOtherLifeOf(A)).isFalse();
    }

    @Test
    void idOfANodeCannotContainTheSeparator() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeRef("a#1", 1, "a:7400"));
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeRef("", 1, "a:7400"));
    }

    @Test
    void nodesAreThoseThatTheEntriesName() {
        PartitionMap map = new PartitionMap(7, List.of(moving(A, B, 7), owned(A, 3)));
        assertThat(map.nodes()).containsExactly(A, B);
        assertThat(map.isPlaced()).isTrue();
        assertThat(map.entry(0).isMoving()).isTrue();
        assertThat(map.entry(0).names(B)).isTrue();
        assertThat(map.entry(1).names(B)).isFalse();
    }

    @Test
    void unplacedMapNamesNoNode() {
        PartitionMap map = PartitionMap.unplaced(4, 5);
        assertThat(map.nodes()).isEmpty();
        assertThat(map.isPlaced()).isFalse();
        assertThat(map.size()).isEqualTo(4);
        assertThat(map.entry(3).version()).isEqualTo(5);
    }

    @Test
    void noEntryIsNewerThanTheMap() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PartitionMap(2, List.of(owned(A, 3))))
                .withMessageContaining("version of partition 0: 3 (expected: at most 2");
    }

    @Test
    void eitherAllPartitionsHaveAnOwnerOrNone() {
        MapEntry none = new MapEntry(Optional.empty(), Optional.empty(), 1);
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionMap(2, List.of(owned(A, 1), none)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionMap(2, List.of(none, owned(A, 1))));
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionMap(2, List.of()));
    }

    @Test
    void incarnationHasOneAddress() {
        NodeRef elsewhere = new NodeRef("a", 1, "elsewhere:7400");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PartitionMap(2, List.of(owned(A, 1), owned(elsewhere, 1))));
    }

    @Test
    void partitionMovesBetweenTwoNodes() {
        assertThatIllegalArgumentException().isThrownBy(() -> moving(A, A, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MapEntry(Optional.empty(), Optional.of(A), 1));
        assertThatIllegalArgumentException().isThrownBy(() -> owned(A, -1));
    }

    private static MapEntry owned(NodeRef owner, long version) {
        return new MapEntry(Optional.of(owner), Optional.empty(), version);
    }

    private static MapEntry moving(NodeRef owner, NodeRef from, long version) {
        return new MapEntry(Optional.of(owner), Optional.of(from), version);
    }
}
