package io.taskmaster.proxy.rpc.scatter;

import io.taskmaster.command.Ranking;
import io.taskmaster.model.Partitions;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.UnaryCall;
import io.taskmaster.proxy.rpc.mapping.RankToken;
import io.taskmaster.proxy.rpc.mapping.ReplyMapper;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.RankReply;
import io.taskmaster.v1.RankRequest;
import io.taskmaster.wire.TimeMapper;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The service for ranked pages of queues. Partitions walk over their queues on their loops, a slice per loop tick; few
 * walks are in flight at a time, so that they do not delay other requests however many callers ask. All else is
 * offloaded. Thread-safe; never blocks.
 */
public final class RankService {

    /** The bound on walks in flight: more would make each slower, and the requests between their slices wait longer. */
    private static final int MAX_RUNNING_SCANS = 2;

    /**
     * The bound on walks in flight and waiting; further ones are refused. A walk takes some tens of milliseconds with
     * 100,000 queues.
     */
    private static final int MAX_PENDING_SCANS = 64;

    private final Router router;
    private final Clock clock;
    private final OffloadExecutor offloadExecutor;
    private final RequestMapper mapper = new RequestMapper();
    private final QueryLimiter<Ranking.Question, Ranked> queryLimiter =
            new QueryLimiter<>(MAX_RUNNING_SCANS, MAX_PENDING_SCANS, this::scan);

    /**
     * The merged answer of the partitions. Immutable.
     *
     * @param closed the number of partitions that do not serve
     */
    private record Ranked(Ranking.Page page, int closed) {}

    /**
     * Creates the service.
     *
     * @param clock the clock of the answers
     */
    public RankService(Router router, Clock clock, OffloadExecutor offloadExecutor) {
        this.router = router;
        this.clock = clock;
        this.offloadExecutor = offloadExecutor;
    }

    /** Answers a call, or fails it. */
    public void rank(RankRequest request, UnaryCall<?, RankReply> call) {
        var _ = queryLimiter.query(mapper.rank(request)).whenComplete((ranked, failure) -> {
            if (failure == null) {
                offloadExecutor.run(() -> call.answer(reply(request, ranked)), call::fail);
            } else {
                call.fail(ScatterGather.refusal(failure));
            }
        });
    }

    private CompletableFuture<Ranked> scan(Ranking.Question question) {
        IntStream partitions = question.selector()
                .group()
                .map(group -> IntStream.of(Partitions.partitionOf(group, router.partitions())))
                .orElseGet(() -> IntStream.range(0, router.partitions()));
        return ScatterGather.of(partitions
                        .mapToObj(partition -> router.rank(partition, question))
                        .toList())
                .thenApplyAsync(parts -> merge(parts, question), offloadExecutor.threads());
    }

    private static Ranked merge(List<Optional<Ranking.Page>> parts, Ranking.Question question) {
        List<Ranking.Page> pages = parts.stream().flatMap(Optional::stream).toList();
        return new Ranked(ReplyMerger.ranked(pages, question), parts.size() - pages.size());
    }

    private RankReply reply(RankRequest request, Ranked ranked) {
        Ranking.Page page = ranked.page();
        RankReply.Builder reply = RankReply.newBuilder()
                .setAt(TimeMapper.toProto(Instant.ofEpochMilli(clock.wallMillis())))
                .setTotal(ReplyMapper.total(page.total()))
                .setMatched(page.matched())
                .setBefore(page.matched() - page.remaining())
                .setClosedPartitions(ranked.closed())
                .setWorst(ReplyMapper.verdict(page.worst()));
        page.rows()
                .forEach(row -> reply.addQueues(ReplyMapper.description(row.queue()))
                        .addVerdicts(ReplyMapper.verdict(row.verdict())));
        if (page.remaining() > page.rows().size()) {
            reply.setNextPageToken(
                    RankToken.of(request.getOrderValue(), page.rows().getLast().place()));
        }
        return reply.build();
    }
}
