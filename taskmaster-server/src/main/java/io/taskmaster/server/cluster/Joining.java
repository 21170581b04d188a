package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt of a process to become a member. It takes the cell of its node from an earlier process at once, whether
 * that one lives or not: the later start wins. One instance is one attempt. Single-threaded: owned by its executor.
 *
 * <pre>
 *   read --> absent, or of an earlier process ---------> set ours, with the next beat
 *                --> a beat of it came before ours ----> read
 *                --> another process came before ours -> this one is superseded
 * </pre>
 */
public final class Joining {

    private static final Logger log = LoggerFactory.getLogger(Joining.class);
    private static final int MAX_TRIES = 10;

    private final TimedExecutor executor;
    private final long beatMillis;
    private final MemberProfile profile;
    private final CompareAndSetCell cell;

    public Joining(Store store, TimedExecutor executor, long beatMillis, MemberProfile profile) {
        this.executor = executor;
        this.beatMillis = beatMillis;
        this.profile = profile;
        this.cell = new CompareAndSetCell(
                store,
                new StoreCalls(executor, MAX_TRIES),
                ClusterRows.member(profile.node().id()),
                Optional.empty(),
                this::supersededBy);
    }

    /**
     * Joins. Fails with a {@link DeposedException} if another process of this node joined meanwhile, with a
     * {@link io.taskmaster.server.store.StoreException} if calls of the store keep failing, and with a
     * {@link CorruptRecordException} if the cell is in a later format. After a failure of the store another attempt of
     * the same process may follow.
     */
    public CompletableFuture<Membership> run() {
        CompletableFuture<Membership> joined = new CompletableFuture<>();
        executor.execute(() -> {
            var _ = cell.read().thenCompose(this::replace).whenComplete((membership, failure) -> {
                if (failure == null) {
                    joined.complete(membership);
                } else {
                    joined.completeExceptionally(StoreCalls.unwrap(failure));
                }
            });
        });
        return joined;
    }

    private CompletableFuture<Membership> replace(Optional<Bytes> found) {
        Optional<MemberRecord> before = found.map(this::decode);
        MemberRecord first = new MemberRecord(
                profile, State.JOINING, before.map(MemberRecord::beat).orElse(-1L) + 1);
        return cell.replace(MemberCodec.encode(first))
                .thenApply(_ -> joined(before, first))
                .exceptionallyCompose(failure -> StoreCalls.unwrap(failure) instanceof DeposedException
                        ? cell.read().thenCompose(now -> isOf(before, now) ? replace(now) : failed(failure))
                        : failed(failure));
    }

    private boolean isOf(Optional<MemberRecord> before, Optional<Bytes> now) {
        return before.isPresent()
                && now.map(this::decode).filter(before.get()::isOfSameProcessAs).isPresent();
    }

    private Membership joined(Optional<MemberRecord> before, MemberRecord first) {
        log.info(
                "joined the cluster as {}, {}",
                profile.node().ownerName(),
                before.map(earlier -> "after " + earlier.profile().node().ownerName())
                        .orElse("for the first time"));
        return new Membership(cell, executor, beatMillis, first);
    }

    private MemberRecord decode(Bytes member) {
        return MemberCodec.decode(profile.node().id(), member);
    }

    private DeposedException supersededBy(Optional<Bytes> found) {
        return new DeposedException(profile.node().ownerName() + " is superseded by "
                + found.map(this::nameOf).orElse("nothing: its cell was deleted")
                + " (expected: one process with this node id at a time)");
    }

    private String nameOf(Bytes member) {
        try {
            return decode(member).profile().node().ownerName();
        } catch (CorruptRecordException later) {
            return "a process of another version";
        }
    }

    private static <T> CompletableFuture<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }
}
