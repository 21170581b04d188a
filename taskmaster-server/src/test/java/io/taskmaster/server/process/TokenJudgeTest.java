package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.process.Attempt.Outcome;
import io.taskmaster.server.process.Token.Act;
import io.taskmaster.server.process.Token.Deed;
import io.taskmaster.server.process.Token.Leased;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of {@link TokenJudge}: a judge that accepted everything would pass every server. */
final class TokenJudgeTest {

    private static final GroupName GROUP = GroupName.of("amber");
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final TokenLedger tokens = new TokenLedger();
    private final Map<Token, Sighting> found = new HashMap<>();

    @Test
    void anAcknowledgedEnqueueMustBeThereAndAnUnknownOneMay() {
        enqueued(Outcome.UNKNOWN);
        accept();
        Token lost = enqueued(Outcome.OK);
        reject("is in stage -1");
        see(lost, 0, State.AVAILABLE, 0);
        accept();
    }

    @Test
    void aRefusedEnqueueMustNotBeThere() {
        see(enqueued(Outcome.NOT_DONE), 0, State.AVAILABLE, 0);
        reject("is in stage 0");
    }

    @Test
    void aDequeuedTaskMustNotComeBack() {
        Token token = enqueued(Outcome.OK);
        act(token, leased(token, 7, 1), Deed.DEQUEUE, Outcome.OK);
        accept();
        see(token, 0, State.AVAILABLE, 1);
        reject("is in stage 0");
    }

    @Test
    void aHandOffEndsInOneOfTheTwoQueues() {
        Token token = enqueued(Outcome.OK);
        act(token, leased(token, 7, 1), Deed.HAND_OFF, Outcome.UNKNOWN);
        see(token, 0, State.LEASED, 1);
        accept();
        see(token, 1, State.AVAILABLE, 0);
        accept();
        found.clear();
        reject("is in stage -1");
    }

    @Test
    void anUpdateOfUnknownOutcomeIsAllOrNothing() {
        Attempt together = attempt(Outcome.UNKNOWN);
        for (int i = 0; i < 2; i++) {
            Token token = enqueued(Outcome.OK);
            leased(token, 7, 1);
            token.add(new Act(0, together, Deed.HAND_OFF, 7, 0));
            see(token, i, i == 0 ? State.LEASED : State.AVAILABLE, 1 - i);
        }
        reject("by one half of an update");
    }

    @Test
    void aLeaseMustStillBeHeld() {
        Token token = enqueued(Outcome.OK);
        leased(token, 7, 1);
        see(token, 0, State.LEASED, 1);
        accept();
        see(token, 0, State.AVAILABLE, 1);
        reject("is available though its lease runs");
    }

    @Test
    void attemptsMustNotBeForgotten() {
        Token token = enqueued(Outcome.OK);
        act(token, leased(token, 7, 1), Deed.RELEASE, Outcome.OK);
        see(token, 0, State.AVAILABLE, 0);
        reject("counts its attempts");
    }

    @Test
    void nobodyLeasesWhatSomebodyHolds() {
        Token token = enqueued(Outcome.OK);
        leased(token, 7, 1);
        leased(token, 9, 2);
        see(token, 0, State.LEASED, 2);
        reject("by two at once");
    }

    @Test
    void nobodyIsRefusedWhatHeHolds() {
        Token token = enqueued(Outcome.OK);
        act(token, leased(token, 7, 1), Deed.DEQUEUE, Outcome.REFUSED);
        see(token, 0, State.LEASED, 1);
        reject("refused its holder");
    }

    @Test
    void aLeaseOfNobodyNeedsALeaseCallOfUnknownOutcome() {
        Token token = enqueued(Outcome.OK);
        see(token, 0, State.LEASED, 1);
        reject("counts its attempts");
        tokens.perhapsLeased(GROUP, 1);
        accept();
    }

    private void accept() {
        assertThatCode(this::judge).doesNotThrowAnyException();
    }

    private void reject(String reason) {
        assertThatThrownBy(this::judge).isInstanceOf(AssertionError.class).hasMessageContaining(reason);
    }

    private void judge() {
        new TokenJudge(found, tokens, System.currentTimeMillis()).judgeAll();
    }

    private Token enqueued(Outcome outcome) {
        Token token = tokens.make(GROUP);
        token.add(new Token.Enqueued(0, attempt(outcome)));
        return token;
    }

    private static Leased leased(Token token, long leaseId, int attempt) {
        Leased lease = new Leased(
                0,
                attempt(Outcome.OK),
                new LeasedTask(
                        new QueueKey(GROUP, Token.STAGES.getFirst()),
                        Pid.of(token.label),
                        Bytes.EMPTY,
                        Map.of(),
                        leaseId,
                        LATER,
                        attempt,
                        Instant.EPOCH));
        token.add(lease);
        return lease;
    }

    private static void act(Token token, Leased lease, Deed deed, Outcome outcome) {
        token.add(new Act(0, attempt(outcome), deed, lease.task().leaseId(), 0));
    }

    private void see(Token token, int stage, State state, int attempts) {
        Optional<Instant> until = state == State.LEASED ? Optional.of(LATER) : Optional.empty();
        found.put(
                token,
                new Sighting(
                        token,
                        stage,
                        new PeekedTask(
                                Pid.of(token.label), Bytes.EMPTY, 0, Map.of(), state, Instant.EPOCH, until, attempts)));
    }

    private static Attempt attempt(Outcome outcome) {
        Attempt attempt = new Attempt();
        attempt.completed(outcome);
        return attempt;
    }
}
