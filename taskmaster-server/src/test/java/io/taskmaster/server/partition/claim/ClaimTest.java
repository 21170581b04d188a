package io.taskmaster.server.partition.claim;

import static io.taskmaster.server.Golden.golden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.UnknownLayoutException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClaimTest {

    private static final long BEAT_MILLIS = 1_000;
    private static final long TIMEOUT_MILLIS = 10_000;

    private final UnsureStore store = new UnsureStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final Random random = new Random(1);
    private int abandoned;

    @Test
    void theFirstNodeGetsAStoreAtOnce() {
        HeldClaim claim = done(claim("a", false));

        assertThat(claim.owner()).isEqualTo(new OwnerCandidate("a", 1));
        assertThat(claim.lost()).isNotDone();
    }

    @Test
    void aStoreWhoseNodeLivesIsInUse() {
        HeldClaim held = done(claim("a", false));
        CompletableFuture<HeldClaim> second = claim("b", false);

        loop.pass(2 * BEAT_MILLIS);
        assertThatThrownBy(second::join)
                .cause()
                .isInstanceOf(StoreInUseException.class)
                .hasMessageContaining("node a");
        loop.pass(10 * TIMEOUT_MILLIS);
        assertThat(held.lost()).isNotDone();
    }

    @Test
    void aNodeThatSaysNothingIsTakenForDeadAfterAWhileAndNotBefore() {
        HeldClaim dead = done(claim("a", false));
        dead.abandon();
        CompletableFuture<HeldClaim> second = claim("b", false);

        loop.pass(TIMEOUT_MILLIS - 1);
        assertThat(second).isNotDone();
        loop.pass(1);
        assertThat(done(second).owner()).isEqualTo(new OwnerCandidate("b", 2));
    }

    @Test
    void theSameNodeGoesOnAtOnce() {
        HeldClaim first = done(claim("a", false));
        HeldClaim second = done(claim("a", false));

        assertThat(second.owner()).isEqualTo(new OwnerCandidate("a", 2));
        loop.pass(BEAT_MILLIS);
        assertLost(first, "node a, by claim 2");
    }

    @Test
    void whoIsToldToTakesOverAtOnceAndTheOtherHearsOfIt() {
        HeldClaim first = done(claim("a", false));
        HeldClaim second = done(claim("b", true));

        loop.pass(BEAT_MILLIS);
        assertLost(first, "node b, by claim 2");
        loop.pass(10 * TIMEOUT_MILLIS);
        assertThat(second.lost()).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBeatOfThePredecessorThatComesLateDoesNotKeepItAlive(boolean sameNode) {
        done(claim("a", false)).abandon();
        ClaimRecord predecessor = ClaimCodec.decode(stored().orElseThrow());
        store.arriveLate(ClaimCodec.encode(predecessor.next(BEAT_MILLIS)));
        HeldClaim second = done(sameNode ? claim("a", false) : claim("b", true));

        assertThat(second.owner().mapVersion()).isEqualTo(2);
        loop.pass(10 * TIMEOUT_MILLIS);
        assertThat(second.lost()).isNotDone();
    }

    @Test
    void aBeatAfterTheTimeoutIsOfANodeThatLives() {
        done(claim("a", false)).abandon();
        ClaimRecord slow = ClaimCodec.decode(stored().orElseThrow());
        CompletableFuture<HeldClaim> second = claim("b", false);
        loop.pass(TIMEOUT_MILLIS - 1);
        store.arriveLate(ClaimCodec.encode(slow.next(TIMEOUT_MILLIS)));
        loop.pass(1);

        assertThatThrownBy(second::join).cause().isInstanceOf(StoreInUseException.class);
    }

    @Test
    void ofTwoOfTheSameNameThatStartTogetherTheFirstKeepsIt() {
        HeldClaim before = done(claim("a", false));
        before.abandon();
        ClaimRecord old = ClaimCodec.decode(stored().orElseThrow());
        ClaimRecord twin = new ClaimRecord(old.number() + 1, "a", new Nonce(7, 7), 0, 0, false);
        store.arriveLate(ClaimCodec.encode(twin));
        CompletableFuture<HeldClaim> second = claim("a", false);
        loop.tick();

        assertThatThrownBy(second::join).cause().isInstanceOf(StoreInUseException.class);
        assertThat(stored()).contains(ClaimCodec.encode(twin));
    }

    @Test
    void aStoreThatWasGivenUpIsFreeAtOnce() {
        HeldClaim first = done(claim("a", false));
        loop.pass(3 * BEAT_MILLIS);
        done(first.release());

        assertThat(done(claim("b", false)).owner()).isEqualTo(new OwnerCandidate("b", 2));
    }

    @Test
    void whoWatchesANodeThatGivesUpNeedNotWaitLonger() {
        HeldClaim first = done(claim("a", false));
        CompletableFuture<HeldClaim> second = claim("b", false);
        loop.tick();
        done(first.release());
        loop.pass(BEAT_MILLIS);

        assertThat(done(second).owner()).isEqualTo(new OwnerCandidate("b", 2));
    }

    @Test
    void aClaimOfALaterVersionIsAnothersToo() {
        HeldClaim claim = done(claim("a", false));
        store.compareAndSet(ClaimCodec.key(), stored(), Bytes.wrap(new byte[] {9, 9}))
                .join();
        loop.pass(BEAT_MILLIS);

        assertLost(claim, "a node of another version");
    }

    @Test
    void onlyOneOfTwoThatStartTogetherGetsIt() {
        CompletableFuture<HeldClaim> one = claim("a", false);
        CompletableFuture<HeldClaim> other = claim("b", false);
        loop.pass(2 * BEAT_MILLIS);

        assertThat(List.of(one.isCompletedExceptionally(), other.isCompletedExceptionally()))
                .containsExactlyInAnyOrder(true, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStoreThatIsAwayForAWhileIsStillOurs(boolean changesAreDone) {
        HeldClaim claim = done(claim("a", false));
        loop.pass(3 * BEAT_MILLIS);
        store.cutOff(changesAreDone);
        loop.pass(6 * TIMEOUT_MILLIS);
        assertThat(claim.lost()).isNotDone();
        store.heal();
        loop.pass(3 * BEAT_MILLIS);

        assertThat(claim.lost()).isNotDone();
        CompletableFuture<HeldClaim> second = claim("b", false);
        loop.pass(2 * BEAT_MILLIS);
        assertThat(second).isCompletedExceptionally();
    }

    @Test
    void whatKeepsAClaimIsLetGoWithIt() {
        HeldClaim claim = done(claim("a", false));
        done(claim.release());
        assertThat(abandoned).isZero();
        claim.abandon();
        loop.tick();

        assertThat(abandoned).isEqualTo(1);
        assertThat(claim.lost()).isNotDone();
    }

    @Test
    void aClaimIsStoredAsItWas() {
        ClaimRecord record = new ClaimRecord(3, "node:7400", new Nonce(1, 2), 4, 1_795_000_000_000L, true);

        assertThat(ClaimCodec.encode(record)).isEqualTo(golden("claim"));
        assertThat(ClaimCodec.decode(golden("claim"))).isEqualTo(record);
    }

    @Test
    void aClaimOfAnotherLayoutIsNotTouched() {
        Bytes foreign = Bytes.wrap(new byte[] {9, 9});
        store.compareAndSet(ClaimCodec.key(), Optional.empty(), foreign).join();
        CompletableFuture<HeldClaim> claim = claim("a", true);
        loop.tick();

        assertThatThrownBy(claim::join).cause().isInstanceOf(UnknownLayoutException.class);
        assertThat(stored()).contains(foreign);
    }

    private Optional<Bytes> stored() {
        return store.read(List.of(ClaimCodec.key())).join().getFirst().map(Cell::value);
    }

    private static void assertLost(HeldClaim claim, String to) {
        assertThat(claim.lost())
                .isCompletedWithValueMatching(reason -> reason instanceof DeposedException
                        && String.valueOf(reason.getMessage()).contains(to));
    }

    private CompletableFuture<HeldClaim> claim(String node, boolean takeOver) {
        ClaimSettings settings = new ClaimSettings(node, takeOver, BEAT_MILLIS, TIMEOUT_MILLIS);
        return new Claiming(store, loop, () -> abandoned++, settings, random, loop::nowMillis).run();
    }

    private <T> T done(CompletableFuture<T> future) {
        loop.tick();
        return future.join();
    }
}
