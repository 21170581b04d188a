package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Effect.Granted;
import io.taskmaster.testkit.oracle.model.KeyHistory;
import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.search.KeySearch.Answer;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/** A front end of {@link KeySearch} that supplies the settings and the leases of the task's queue. Single-threaded. */
public final class Explainer {

    private static final long[] NONE = {};

    /** The bound of states for a search with a hypothesis: there are many such searches for each task. */
    private static final int MAX_SUPPOSED_STATES = 2_000;

    private final Projection projection;
    private final OracleSettings settings;

    /** Tasks that are exempt from further judgement, because they are broken or could not be decided. */
    private final Set<KeyHistory> settled = new HashSet<>();

    public Explainer(Projection projection, OracleSettings settings) {
        this.projection = projection;
        this.settings = settings;
    }

    public Answer explain(KeyHistory key, Constraint constraint) {
        return explain(key, constraint, RelaxationWindow.STRICT);
    }

    public Answer explain(KeyHistory key, Constraint constraint, Relaxation relaxation, Relaxation other) {
        return explain(key, constraint, EnumSet.of(relaxation, other));
    }

    public void settle(KeyHistory key) {
        settled.add(key);
    }

    public boolean isSettled(KeyHistory key) {
        return settled.contains(key);
    }

    private Answer explain(KeyHistory key, Constraint constraint, Set<Relaxation> relaxed) {
        QueueHistory queue = projection.queue(key.key().queue());
        long[] phantoms = queue.unknownLeases.isEmpty()
                ? NONE
                : queue.phantomTimes(key.key().pid());
        long[] leases = phantoms.length == 0 ? NONE : knownLeases(key);
        RelaxationWindow relaxationWindow = new RelaxationWindow(
                0, 0, settings.slackMicros(), settings.activationLagMicros(), new KeyLeases(phantoms, leases), relaxed);
        int maxStates = constraint.subject() == null
                ? settings.maxStates()
                : Math.min(settings.maxStates(), MAX_SUPPOSED_STATES);
        return KeySearch.search(key.operations(), constraint, relaxationWindow, maxStates);
    }

    private static long[] knownLeases(KeyHistory key) {
        long[] ids = key.operations().stream()
                .map(KeyOperation::effect)
                .filter(Granted.class::isInstance)
                .mapToLong(effect -> ((Granted) effect).leaseId())
                .toArray();
        Arrays.sort(ids);
        return ids;
    }
}
