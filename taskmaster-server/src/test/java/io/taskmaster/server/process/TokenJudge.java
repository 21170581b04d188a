package io.taskmaster.server.process;

import io.taskmaster.client.PeekResult.State;
import io.taskmaster.model.GroupName;
import io.taskmaster.server.process.Token.Act;
import io.taskmaster.server.process.Token.Deed;
import io.taskmaster.server.process.Token.Leased;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A judge of what a full scan found, by what clients were answered. An unknown outcome may have been either, but must
 * be the same for all tokens of one update. Single-threaded.
 *
 * <p>For each token, the last stage that it certainly reached, and the operations there under its last lease, determine
 * where it may be now. Leases of a stage follow each other only by release or expiry. A client that was refused must
 * have lost its lease.
 */
final class TokenJudge {

    /** The tolerance for times that were read at different moments on one machine. */
    private static final long SLACK_MILLIS = 1_000;

    private final Map<Token, Sighting> found;
    private final TokenLedger tokens;
    private final long scannedMillis;
    private final Map<Attempt, Boolean> confirmed = new HashMap<>();
    private final Map<GroupName, Integer> phantoms = new HashMap<>();

    /**
     * Creates a judge.
     *
     * @param scannedMillis the time when the scan began
     */
    TokenJudge(Map<Token, Sighting> found, TokenLedger tokens, long scannedMillis) {
        this.found = found;
        this.tokens = tokens;
        this.scannedMillis = scannedMillis;
    }

    /** The bounds of the end of a lease. */
    private record End(long earliestMillis, long latestMillis) {}

    void judgeAll() {
        for (Token token : tokens.snapshot()) {
            judge(token);
        }
        phantoms.forEach((group, count) -> {
            if (count > tokens.perhapsLeased(group)) {
                throw new AssertionError(count + " tasks of " + group + " are leased to nobody (expected: at most "
                        + tokens.perhapsLeased(group) + ")");
            }
        });
    }

    /** Returns the last lease of a token that a client knows of, if the task is leased under it. */
    @Nullable
    static Leased heldLease(Sighting sighting) {
        List<Leased> leases = sighting.token().leases(sighting.stage());
        boolean held = sighting.task().state() == State.LEASED
                && !leases.isEmpty()
                && leases.getLast().task().attempt() == sighting.task().attempt();
        return held ? leases.getLast() : null;
    }

    private void judge(Token token) {
        int stage = Token.STAGES.size() - 1;
        while (stage >= 0 && !token.isCertainlyIn(stage)) {
            stage--;
        }
        Sighting sighting = found.get(token);
        int at = sighting == null ? Token.NOWHERE : sighting.stage();
        Set<Integer> possible = new HashSet<>();
        if (stage == Token.NOWHERE) {
            possible.add(Token.NOWHERE);
            Optional<Attempt> enqueueing = token.enqueueing();
            if (enqueueing.isPresent() && enqueueing.get().isUnknown()) {
                possible.add(0);
                confirmed(token, enqueueing.get(), at == 0);
            }
        } else {
            checkPathTo(token, stage);
            possible.addAll(whereabouts(token, stage, at));
        }
        require(possible.contains(at), token, "is in stage " + at + " (expected: one of " + possible + ")");
        if (sighting != null) {
            judge(sighting);
        }
    }

    /** Checks that every stage before the reached one was left by a hand-off, and that leases followed each other. */
    private void checkPathTo(Token token, int reached) {
        int first = Math.max(0, token.baseStage());
        for (int stage = first; stage <= reached; stage++) {
            List<Leased> leases = token.leases(stage);
            checkOrder(token, leases);
            if (stage == reached) {
                continue;
            }
            require(!leases.isEmpty(), token, "left stage " + stage + " without a lease");
            Attempt last = token.acts(leases.getLast()).stream()
                    .filter(act -> act.deed() == Deed.HAND_OFF && act.attempt().isPossible())
                    .map(Act::attempt)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(token + "\nleft a stage without a hand-off"));
            confirmed(token, last, true);
        }
        if (first == 0 && token.baseStage() == Token.NOWHERE) {
            Attempt enqueueing = token.enqueueing().orElseThrow();
            require(enqueueing.isPossible(), token, "was never enqueued");
            confirmed(token, enqueueing, true);
        }
    }

    private Set<Integer> whereabouts(Token token, int stage, int at) {
        Set<Integer> possible = new HashSet<>(Set.of(stage));
        List<Leased> leases = token.leases(stage);
        for (Leased lease : leases) {
            for (Act act : token.acts(lease)) {
                boolean ends = act.deed() == Deed.DEQUEUE || act.deed() == Deed.HAND_OFF;
                if (!ends || !act.attempt().isPossible()) {
                    continue;
                }
                if (!lease.equals(leases.getLast())) {
                    require(!act.attempt().isOk(), token, "was leased again after " + act);
                    confirmed(token, act.attempt(), false);
                } else if (act.attempt().isOk()) {
                    return Set.of(act.deed() == Deed.DEQUEUE ? Token.NOWHERE : stage + 1);
                } else {
                    possible.add(act.deed() == Deed.DEQUEUE ? Token.NOWHERE : stage + 1);
                    confirmed(token, act.attempt(), at != stage);
                }
            }
        }
        return possible;
    }

    /** Checks that leases did not overlap, and that no holder was refused while its lease ran. */
    private void checkOrder(Token token, List<Leased> leases) {
        for (int i = 0; i < leases.size(); i++) {
            Leased lease = leases.get(i);
            End end = endOf(token, lease);
            boolean released = false;
            for (Act act : token.acts(lease)) {
                released |= act.deed() == Deed.RELEASE && act.attempt().isPossible();
                boolean refused = act.attempt().outcome() == Attempt.Outcome.REFUSED;
                require(
                        !refused || end.earliestMillis() < act.attempt().completedMillis() + SLACK_MILLIS,
                        token,
                        "refused its holder " + act);
            }
            if (i + 1 < leases.size()) {
                Leased next = leases.get(i + 1);
                require(next.task().attempt() > lease.task().attempt(), token, "lost count of its attempts");
                require(
                        released || end.earliestMillis() < next.attempt().completedMillis() + SLACK_MILLIS,
                        token,
                        "was leased by two at once");
            }
        }
    }

    private End endOf(Token token, Leased lease) {
        long earliest = lease.task().leaseExpires().toEpochMilli();
        long latest = earliest;
        for (Act act : token.acts(lease)) {
            if (act.deed() == Deed.RENEW && act.attempt().isOk()) {
                earliest = act.attempt().invokedMillis + act.leaseMillis();
                latest = act.attempt().completedMillis() + act.leaseMillis();
            } else if (act.deed() == Deed.RENEW && act.attempt().isUnknown()) {
                earliest = Math.min(earliest, act.attempt().invokedMillis + act.leaseMillis());
                latest = Math.max(latest, scannedMillis + act.leaseMillis());
            }
        }
        return new End(earliest, latest);
    }

    /** Checks that the task is available or leased as it must be, with the right number of attempts. */
    private void judge(Sighting sighting) {
        Token token = sighting.token();
        List<Leased> leases = token.leases(sighting.stage());
        int attempts = leases.isEmpty()
                ? token.baseAttempts(sighting.stage())
                : leases.getLast().task().attempt();
        int more = sighting.task().attempt() - attempts;
        int unknown = tokens.perhapsLeased(token.group);
        require(more >= 0 && more <= unknown, token, "counts its attempts as " + sighting.task());
        if (more > 0) {
            phantoms.merge(token.group, more, Integer::sum);
            return;
        }
        boolean leased = sighting.task().state() == State.LEASED;
        if (leases.isEmpty()) {
            require(!leased, token, "is leased to nobody: " + sighting.task());
            return;
        }
        List<Act> acts = token.acts(leases.getLast());
        End end = endOf(token, leases.getLast());
        if (leased) {
            require(
                    acts.stream()
                            .noneMatch(act ->
                                    act.deed() == Deed.RELEASE && act.attempt().isOk()),
                    token,
                    "is leased though it was released");
            long until = sighting.task().until().orElseThrow().toEpochMilli();
            require(
                    until >= end.earliestMillis() - SLACK_MILLIS && until <= end.latestMillis() + SLACK_MILLIS,
                    token,
                    "is leased until " + until + " (expected: " + end + ")");
        } else {
            boolean released = acts.stream()
                    .anyMatch(act -> act.deed() == Deed.RELEASE && act.attempt().isPossible());
            require(
                    released || end.earliestMillis() <= System.currentTimeMillis() + SLACK_MILLIS,
                    token,
                    "is available though its lease runs: " + sighting.task());
        }
    }

    /** Notes the outcome of an update as one of its tokens shows it. The others must show the same. */
    private void confirmed(Token token, Attempt attempt, boolean did) {
        Boolean before = confirmed.putIfAbsent(attempt, did);
        require(before == null || before == did, token, "was changed by one half of an update");
    }

    private static void require(boolean condition, Token token, String otherwise) {
        if (!condition) {
            throw new AssertionError(token + "\n" + otherwise);
        }
    }
}
