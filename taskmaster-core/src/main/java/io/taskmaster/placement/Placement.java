package io.taskmaster.placement;

import io.taskmaster.placement.Wish.Answer;
import io.taskmaster.placement.Wish.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The placement of partitions on nodes: a pure function from what a controller sees to the next map. Equal situations
 * have equal decisions; nothing is read, waited for or kept.
 *
 * <p>The controller only places. A decision that is late, or made twice, or by two controllers, costs time or moves,
 * and nothing else: owners are fenced by the store.
 *
 * <p>One decision takes these steps, in the order of their urgency, and makes one change of the map of all of them.
 *
 * <pre>{@code
 * step       | for partitions                       | moves at once
 * -----------+--------------------------------------+----------------------------------------
 * Settling   | that move: done, failed, late        | none begins
 * Rescue     | that no node serves                  | all
 * wishes     | that an operator moves               | those that may be in motion
 * Emptying   | of nodes that leave or are drained   | the same, and a few of a node
 * Filling    | that are to go to an empty node      | the same, and by slow start
 * Separation | on the same node as a sibling        | the same, and fewer of a node
 * Balancing  | of nodes with too much load          | as for siblings, in rounds
 * }</pre>
 *
 * <p>Greedy, and quick enough to be asked each second: about P x N steps for P partitions on N nodes, a few
 * milliseconds for 1,024 on 100.
 */
public final class Placement {

    private Placement() {}

    /** Decides what is to change. */
    public static PlacementDecision decide(Situation situation, PlacementPolicy policy) {
        NavigableSet<String> drained = new TreeSet<>(situation.drained());
        for (Wish wish : situation.wishes()) {
            switch (wish) {
                case Wish.Drain drain -> drained.add(drain.nodeId());
                case Wish.Undrain undrain -> drained.remove(undrain.nodeId());
                case Wish.MovePartition move -> {}
                case Wish.Rebalance now -> {}
            }
        }
        WorkingMap map = new WorkingMap(situation, drained, policy);
        Rescue rescue = new Rescue(map);
        rescue.restart();
        boolean patient = rescue.isPatient();
        new Settling(map).decide(patient);
        if (!patient) {
            rescue.place();
        }
        boolean mayMove = map.isPlaced() && !patient;
        List<Answer> answers = answer(situation.wishes(), map, mayMove);
        NavigableSet<NodeRef> filling = situation.history().filling();
        if (mayMove) {
            new Emptying(map).decide();
            filling = new Filling(map).decide();
            new Separation(map).decide();
        }
        Balancing balancing = new Balancing(map);
        if (mayMove) {
            balancing.decide(situation.wishes().contains(new Wish.Rebalance()));
        }
        PlacementHistory next = map.remember(filling, balancing.levelledAt(), balancing.isLevelling());
        return new PlacementDecision(map.result(), map.moves(), map.waits(), answers, drained, next);
    }

    private static List<Answer> answer(List<Wish> wishes, WorkingMap map, boolean mayMove) {
        List<Answer> answers = new ArrayList<>();
        for (Wish wish : wishes) {
            answers.add(
                    switch (wish) {
                        case Wish.MovePartition move -> new OperatorWishes(map).answer(move, mayMove);
                        case Wish.Drain drain ->
                            new Answer(drain, Outcome.DONE, "node %s is to be empty".formatted(drain.nodeId()));
                        case Wish.Undrain undrain ->
                            new Answer(undrain, Outcome.DONE, "node %s may serve".formatted(undrain.nodeId()));
                        case Wish.Rebalance rebalance ->
                            mayMove
                                    ? new Answer(rebalance, Outcome.DONE, "a round of balancing was made")
                                    : new Answer(rebalance, Outcome.WAITING, "partitions without an owner come first");
                    });
        }
        return answers;
    }
}
