package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The planned moves that are under way. Neither side needs the controller to finish one; it only notes the end, and
 * helps if a side fails.
 *
 * <pre>{@code
 * node before | new owner | and                  | then
 * ------------+-----------+----------------------+-------------------------------------------------
 * any         | alive     | it serves            | done
 * gone        | any       |                      | no longer planned: the new owner takes over, or is dead as well
 * alive       | gone      |                      | the node before keeps the partition
 * alive       | alive     | longer than the limit| another node is tried; without one the node before keeps it
 * alive       | alive     | else                 | under way
 * }</pre>
 *
 * <p>Single-threaded.
 */
record Settling(WorkingMap map) {

    /**
     * Goes through all moves under way.
     *
     * @param patient true if many nodes are silent: then only what is done is noted
     */
    void decide(boolean patient) {
        List<String> underWay = new ArrayList<>();
        for (int partition = 0; partition < map.size(); partition++) {
            Optional<Host> from = map.from(partition);
            if (from.isPresent()) {
                decide(partition, from.get(), map.owner(partition), patient);
            }
            if (map.from(partition).isPresent()) {
                underWay.add("p%d %s -> %s"
                        .formatted(
                                partition,
                                map.from(partition).get().id(),
                                map.owner(partition).id()));
            }
        }
        if (!underWay.isEmpty()) {
            map.waitFor("under way: " + String.join(", ", underWay));
        }
    }

    private void decide(int partition, Host from, Host to, boolean patient) {
        Duration limit = map.policy().motion().limit();
        boolean done = to.isAlive() && map.isServedBy(partition, to);
        if (done) {
            map.settle(partition);
        } else if (patient) {
            return;
        } else if (!from.isAlive()) {
            map.settle(partition);
        } else if (!to.isAlive()) {
            map.move(partition, from, Cause.RETURN, "%s is gone before it took over".formatted(to.id()));
        } else if (map.sinceMove(partition).compareTo(limit) >= 0) {
            map.failed(to);
            retry(partition, from, "%s did not take over within %d s".formatted(to.id(), limit.toSeconds()));
        }
    }

    private void retry(int partition, Host from, String reason) {
        Optional<Host> another = map.willing().stream()
                .filter(host -> host != from && map.admits(host, partition))
                .min(Comparator.comparingInt((Host host) -> map.siblingsOn(host, partition))
                        .thenComparingDouble(Host::utilisation));
        another.ifPresentOrElse(
                host -> map.move(partition, host, Cause.RETRY, reason),
                () -> map.move(partition, from, Cause.RETURN, reason));
    }
}
