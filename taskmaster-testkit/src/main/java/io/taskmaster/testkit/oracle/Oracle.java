package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.model.OperationReader;
import io.taskmaster.testkit.oracle.model.Operations;
import io.taskmaster.testkit.oracle.model.Projection;
import io.taskmaster.testkit.oracle.model.Projector;
import io.taskmaster.testkit.oracle.model.RecordedOperation;
import io.taskmaster.testkit.oracle.pass.AtomicityPass;
import io.taskmaster.testkit.oracle.pass.CapPass;
import io.taskmaster.testkit.oracle.pass.FifoPass;
import io.taskmaster.testkit.oracle.pass.KeyPass;
import io.taskmaster.testkit.oracle.pass.OfferPass;
import io.taskmaster.testkit.oracle.pass.SizePass;
import io.taskmaster.testkit.oracle.search.Certainties;
import io.taskmaster.testkit.oracle.search.Explainer;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict.Checked;

/**
 * A judge of histories: it finds the promises of TaskMaster that a history breaks.
 *
 * <p>It has no false alarms. A finding is a set of replies that no server can give that keeps its promises, whatever
 * became of the calls of unknown outcome. This presumes that clocks keep to {@link OracleSettings#clockSlack()}, that
 * all queues were empty at the beginning, and that no client issued calls outside the history. It may miss violations
 * that the history does not show.
 *
 * <p>The method is locality (Herlihy and Wing): a history is linearizable only if its restriction to each task is. So
 * the history is projected on each (queue, PID), and a small search decides for each task alone ({@link KeyPass}).
 * Statements about several tasks have passes of their own:
 *
 * <ul>
 *   <li>updates of several tasks ({@link AtomicityPass});
 *   <li>the order of PIDs, and the tasks that a lease returns ({@link OfferPass});
 *   <li>assigned PIDs ({@link FifoPass});
 *   <li>pauses and caps ({@link CapPass});
 *   <li>sizes of queues ({@link SizePass});
 *   <li>request ids ({@code RequestIdPass}).
 * </ul>
 *
 * These rely on the facts that are certain about each task at a time ({@link Certainties}).
 *
 * <p>See {@code docs/histories.md}. Stateless.
 */
public final class Oracle {

    private Oracle() {}

    /** Judges a history. Takes about a second for 100,000 calls. */
    public static OracleVerdict judge(History history, OracleSettings settings) {
        Findings findings = new Findings();
        Operations operations = OperationReader.read(history, settings, findings);
        Projection projection = Projector.project(operations, settings.endsWithDrain());
        Explainer explainer = new Explainer(projection, settings);
        KeyPass keys = new KeyPass(explainer, findings);
        // This pass settles the tasks that are broken or undecided. It comes first, so that no other pass judges those.
        keys.check(projection);
        AtomicityPass atomicity = new AtomicityPass(explainer, settings.endsWithDrain(), findings);
        atomicity.check(projection);
        Certainties certainties = new Certainties(explainer, settings);
        new OfferPass(certainties, findings).check(projection);
        new FifoPass(certainties, findings).check(operations, projection);
        new CapPass(certainties, findings).check(projection);
        SizePass sizes = new SizePass(projection, certainties, findings);
        sizes.check(operations);
        return new OracleVerdict(
                findings.all(),
                new Checked(
                        history.size(),
                        operations.unknownCalls,
                        projection.keys.size(),
                        keys.undecided(),
                        grants(operations),
                        sizes.reads(),
                        atomicity.updates()));
    }

    private static int grants(Operations operations) {
        int grants = 0;
        for (RecordedOperation.Leasing lease : operations.leases) {
            grants += lease.reply() == null ? 0 : lease.reply().getTasksCount();
        }
        return grants;
    }
}
