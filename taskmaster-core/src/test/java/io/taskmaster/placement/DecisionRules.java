package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.ClusterMember.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The rules that every decision keeps, whatever it is decided on. Single-threaded. */
final class DecisionRules {

    private final Map<Integer, Instant> movedAt = new HashMap<>();
    private final Random random = new Random(7);
    private int checked;

    /** Forgets what a new controller does not know. */
    void changeController() {
        movedAt.clear();
    }

    void check(Situation situation, PlacementDecision decision, PlacementPolicy policy) {
        checkVersions(situation, decision);
        checkOwners(situation, decision);
        checkBounds(situation, decision, policy);
        checkTargets(situation, decision);
        if (checked++ % 7 == 0 || !decision.moves().isEmpty()) {
            checkPurity(situation, decision, policy);
        }
    }

    private static void checkVersions(Situation situation, PlacementDecision decision) {
        PartitionMap before = situation.map();
        PartitionMap after = decision.map();
        assertThat(after.size()).isEqualTo(before.size());
        boolean changed = false;
        for (int partition = 0; partition < after.size(); partition++) {
            MapEntry old = before.entry(partition);
            MapEntry entry = after.entry(partition);
            boolean same = old.owner().equals(entry.owner()) && old.from().equals(entry.from());
            changed |= !same;
            long version = same ? old.version() : before.version() + 1;
            // Not for each entry an assertion of its own: there are a thousand entries in each of a thousand decisions.
            if (entry.version() != version) {
                assertThat(entry.version()).as("version of p%d", partition).isEqualTo(version);
            }
        }
        assertThat(after.version()).isEqualTo(changed ? before.version() + 1 : before.version());
        assertThat(decision.changes(before)).isEqualTo(changed);
    }

    private static void checkOwners(Situation situation, PlacementDecision decision) {
        boolean serves = situation.members().stream().anyMatch(member -> member.state() == State.SERVING);
        boolean patient = decision.waits().stream().anyMatch(words -> words.contains("are silent"));
        if (!serves || patient) {
            return;
        }
        Map<NodeRef, ClusterMember> members = members(situation);
        Set<NodeRef> owners = new HashSet<>();
        decision.map().entries().forEach(entry -> owners.add(entry.owner().orElseThrow()));
        assertThat(owners)
                .allSatisfy(owner -> assertThat(members.get(owner))
                        .as(owner.ownerName())
                        .isNotNull()
                        .matches(ClusterMember::isAlive));
    }

    private static Map<NodeRef, ClusterMember> members(Situation situation) {
        Map<NodeRef, ClusterMember> members = new HashMap<>();
        situation.members().forEach(member -> members.put(member.node(), member));
        return members;
    }

    private void checkBounds(Situation situation, PlacementDecision decision, PlacementPolicy policy) {
        List<MapEntry> moving =
                decision.map().entries().stream().filter(MapEntry::isMoving).toList();
        assertThat(moving)
                .as("in motion")
                .hasSizeLessThanOrEqualTo(Math.max(8, situation.map().size() / 100));
        for (Move move : decision.moves()) {
            NodeRef to = move.to();
            switch (move.cause()) {
                case BALANCE, SIBLINGS -> {
                    assertThat(inMotion(moving, to)).as(move.describe()).isLessThanOrEqualTo(2);
                    assertThat(inMotion(moving, move.from().orElseThrow()))
                            .as(move.describe())
                            .isLessThanOrEqualTo(2);
                    checkCoolDown(move, policy);
                }
                case JOIN -> {
                    ClusterMember member =
                            Objects.requireNonNull(members(situation).get(to));
                    long steps = member.inState().dividedBy(policy.slowStart());
                    assertThat((double) count(decision.map(), to))
                            .as(move.describe())
                            .isLessThanOrEqualTo(Math.pow(2, (double) steps + 1) - 1);
                    checkCoolDown(move, policy);
                }
                case DRAIN -> {
                    NodeRef from = move.from().orElseThrow();
                    assertThat(moving.stream().filter(entry -> entry.from().equals(Optional.of(from))))
                            .hasSizeLessThanOrEqualTo(8);
                }
                case FIRST, RESTART, DEATH, RETURN, RETRY, OPERATOR -> {}
            }
            if (move.cause().isPlanned()) {
                movedAt.put(move.partition(), situation.now());
            }
        }
    }

    private void checkCoolDown(Move move, PlacementPolicy policy) {
        Instant before = movedAt.getOrDefault(move.partition(), Instant.MIN);
        assertThat(before.equals(Instant.MIN)
                        || Duration.between(before, move.at())
                                        .compareTo(policy.motion().coolDown())
                                >= 0)
                .as("cool-down: %s", move.describe())
                .isTrue();
    }

    private static long inMotion(List<MapEntry> moving, NodeRef node) {
        return moving.stream().filter(entry -> entry.names(node)).count();
    }

    private static long count(PartitionMap map, NodeRef node) {
        return map.entries().stream()
                .filter(entry -> entry.owner().equals(Optional.of(node)))
                .count();
    }

    private static void checkTargets(Situation situation, PlacementDecision decision) {
        Map<NodeRef, ClusterMember> members = members(situation);
        for (Move move : decision.moves()) {
            assertThat(move.describe())
                    .startsWith("p" + move.partition() + " ")
                    .contains(" -> " + move.to().id() + ": ");
            assertThat(move.at()).isEqualTo(situation.now());
            if (move.cause().isPlanned()) {
                ClusterMember to = Objects.requireNonNull(members.get(move.to()));
                assertThat(to.state()).as(move.describe()).isEqualTo(State.SERVING);
                assertThat(decision.drained())
                        .as(move.describe())
                        .doesNotContain(to.node().id());
                assertThat(10 * count(decision.map(), to.node()))
                        .as("queues: %s", move.describe())
                        .isLessThanOrEqualTo(to.capacity().queues());
            }
        }
    }

    /**
     * Checks that nothing but the situation counts: no order of lists, no call before, and no load that is too young.
     */
    private void checkPurity(Situation situation, PlacementDecision decision, PlacementPolicy policy) {
        List<ClusterMember> members = new ArrayList<>(situation.members());
        Collections.shuffle(members, random);
        List<PartitionLoad> loads = new ArrayList<>();
        for (PartitionLoad load : situation.loads()) {
            boolean young = load.measuredFor().compareTo(policy.balance().minMeasured()) < 0;
            double busy = young ? 9 * random.nextDouble() : load.busy();
            loads.add(new PartitionLoad(
                    load.partition(), load.servedBy(), busy, load.measuredFor(), load.queues(), load.memoryBytes()));
        }
        Collections.shuffle(loads, random);
        Situation same = new Situation(
                situation.map(),
                members,
                situation.drained(),
                loads,
                situation.history(),
                situation.wishes(),
                situation.now());
        assertThat(Placement.decide(same, policy)).isEqualTo(decision);
    }
}
