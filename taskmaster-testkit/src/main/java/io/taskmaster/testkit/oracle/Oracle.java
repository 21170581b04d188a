package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.Verdict.Checked;

/**
 * Says which promises of TaskMaster a history breaks, if any. It has no false alarms: what it finds, no server that keeps its
 * promises can have answered, whatever became of the calls whose outcome nobody knows, as long as clocks keep to
 * {@link OracleSettings#clockSlack()}, all queues were empty at the beginning and nobody asked anything beside the history. It may
 * miss what a history does not show.
 *
 * <p>It goes by locality: in an order that explains the whole, what happened to one task is in an order that explains the task. So
 * the history is projected on each (queue, PID), and a small search decides for each alone ({@link KeyPass}). What concerns
 * several tasks has passes of its own: updates ({@link AtomicityPass}), the order of PIDs and what is offered ({@link OfferPass}),
 * assigned PIDs ({@link FifoPass}), pauses and caps ({@link CapPass}), sizes ({@link SizePass}), request ids ({@link RequestIds}).
 * They go by what is certain of each task at a time ({@link Certainties}).
 *
 * <p>Stateless.
 */
public final class Oracle {

    private Oracle() {}

    /** Judges a history. Takes about a second for 100,000 calls. */
    public static Verdict judge(History history, OracleSettings settings) {
        Findings findings = new Findings();
        Operations operations = OperationReader.read(history, settings, findings);
        Projection projection = Projector.project(operations, settings.endsWithDrain());
        Explainer explainer = new Explainer(projection, settings);
        KeyPass keys = new KeyPass(explainer, findings);
        keys.check(projection);
        AtomicityPass atomicity = new AtomicityPass(explainer, settings.endsWithDrain(), findings);
        atomicity.check(projection);
        Certainties certainties = new Certainties(explainer, settings);
        new OfferPass(certainties, findings).check(projection);
        new FifoPass(certainties, findings).check(operations, projection);
        new CapPass(certainties, findings).check(projection);
        SizePass sizes = new SizePass(projection, certainties, findings);
        sizes.check(operations);
        return new Verdict(
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
        for (Operation.Leasing lease : operations.leases) {
            grants += lease.reply() == null ? 0 : lease.reply().getTasksCount();
        }
        return grants;
    }
}
