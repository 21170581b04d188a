package io.taskmaster.placement;

import io.taskmaster.placement.Wish.Answer;
import java.util.List;
import java.util.NavigableSet;

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
 * Rescue     | that no node serves                  | all
 * Settling   | that move: done, failed, late        | none begins
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
        PlacementHistory history = situation.history();
        OperatorWishes wishes = new OperatorWishes(situation.wishes());
        NavigableSet<String> drained = wishes.drained(situation.drained());
        WorkingMap map = new WorkingMap(situation, drained, policy);

        Rescue rescue = new Rescue(map);
        rescue.restart();
        boolean patient = rescue.isPatient();
        new Settling(map).decide(patient);
        if (!patient) {
            rescue.place();
        }

        boolean mayMove = map.isPlaced() && !patient;
        List<Answer> answers = wishes.decide(map, mayMove);
        if (!mayMove) {
            PlacementHistory next = map.remember(history.filling(), history.levelledAt(), history.levelling());
            return new PlacementDecision(map.result(), map.moves(), map.waits(), answers, drained, next);
        }
        new Emptying(map).decide();
        NavigableSet<NodeRef> filling = new Filling(map).decide();
        new Separation(map).decide();
        Balancing balancing = new Balancing(map);
        balancing.decide(wishes.wantBalance());
        PlacementHistory next = map.remember(filling, balancing.levelledAt(), balancing.isLevelling());
        return new PlacementDecision(map.result(), map.moves(), map.waits(), answers, drained, next);
    }
}
