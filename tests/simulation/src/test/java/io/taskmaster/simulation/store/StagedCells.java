package io.taskmaster.simulation.store;

import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.simulation.world.OwnerProcess;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The staged cells: for each, the durable value, and on top of it the layers that processes have staged.
 * Single-threaded: owned by the simulation.
 */
final class StagedCells {

    private record Layer(OwnerProcess process, Optional<Cell> cell) {}

    private static final class Stack {

        private Optional<Cell> durable;
        private final List<Layer> layers = new ArrayList<>();

        private Stack(Optional<Cell> durable) {
            this.durable = durable;
        }

        private Optional<Cell> top() {
            return layers.isEmpty() ? durable : layers.getLast().cell;
        }
    }

    private final Map<CellKey, Stack> stacks = new TreeMap<>();

    void add(OwnerProcess process, CellKey key, Optional<Cell> before, Optional<Cell> after) {
        stacks.computeIfAbsent(key, _ -> new Stack(before)).layers.add(new Layer(process, after));
    }

    /** Forgets the layers of a cell that was overwritten durably. */
    void overwritten(CellKey key) {
        stacks.remove(key);
    }

    void sync(OwnerProcess process) {
        for (Iterator<Stack> each = stacks.values().iterator(); each.hasNext(); ) {
            Stack stack = each.next();
            for (int i = stack.layers.size() - 1; i >= 0; i--) {
                if (stack.layers.get(i).process == process) {
                    stack.durable = stack.layers.get(i).cell;
                    // The durable value replaces every layer below it, whichever process staged them.
                    stack.layers.subList(0, i + 1).clear();
                    break;
                }
            }
            if (stack.layers.isEmpty()) {
                each.remove();
            }
        }
    }

    /**
     * Removes what a process staged in the rows that are lost; the rest of what it staged becomes durable.
     *
     * @return the cells of lost rows, as they are visible now
     */
    Map<CellKey, Optional<Cell>> lose(OwnerProcess process, Predicate<RowId> lost) {
        Map<RowId, Boolean> decided = new TreeMap<>();
        Map<CellKey, Optional<Cell>> seen = new TreeMap<>();
        stacks.forEach((key, stack) -> {
            if (stack.layers.stream().anyMatch(layer -> layer.process == process)
                    && decided.computeIfAbsent(RowId.of(key), lost::test)) {
                stack.layers.removeIf(layer -> layer.process == process);
                seen.put(key, stack.top());
            }
        });
        sync(process);
        return seen;
    }
}
