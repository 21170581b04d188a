package io.taskmaster.server.rpc;

import io.taskmaster.model.Partitions;
import io.taskmaster.server.engine.rank.Ranking;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.ScatterGather;
import io.taskmaster.server.partition.loop.Clock;
import io.taskmaster.server.rpc.call.OffloadExecutor;
import io.taskmaster.server.rpc.call.UnaryCall;
import io.taskmaster.server.rpc.mapping.InsightMapper;
import io.taskmaster.server.rpc.mapping.RankToken;
import io.taskmaster.server.rpc.mapping.ReplyMapper;
import io.taskmaster.server.rpc.mapping.RequestMapper;
import io.taskmaster.server.rpc.scatter.ReplyMerger;
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
final class RankService {

    /** The bound on walks in flight: more would make each slower, and the requests between their slices wait longer. */
    private static final int WALKS_AT_ONCE = 2;

    /**
     * The bound on walks in flight and waiting; further ones are refused. A walk takes some tens of milliseconds with
     * 100,000 queues.
     */
    private static final int OPEN_WALKS = 64;

    private final Node node;
    private final Clock clock;
    private final OffloadExecutor offloadExecutor;
    private final RequestMapper mapper = new RequestMapper();
    private final QueryLimiter<Ranking.Question, Ranked> queryLimiter =
            new QueryLimiter<>(WALKS_AT_ONCE, OPEN_WALKS, this::walk);

    /**
     * The merged answer of the partitions. Immutable.
     *
     * @param closed the number of partitions that do not serve
     */
    private record Ranked(Ranking.Page page, int closed) {}

    RankService(Node node, Clock clock, OffloadExecutor offloadExecutor) {
        this.node = node;
        this.clock = clock;
        this.offloadExecutor = offloadExecutor;
    }

    void rank(RankRequest request, UnaryCall<?, RankReply> call) {
        var _ = queryLimiter.ask(mapper.rank(request)).whenComplete((ranked, failure) -> {
            if (failure == null) {
                offloadExecutor.run(() -> call.answer(reply(request, ranked)), call::fail);
            } else {
                call.fail(ScatterGather.refusal(failure));
            }
        });
    }

    private CompletableFuture<Ranked> walk(Ranking.Question question) {
        IntStream partitions = question.selector()
                .group()
                .map(group -> IntStream.of(Partitions.partitionOf(group, node.partitions())))
                .orElseGet(() -> IntStream.range(0, node.partitions()));
        return ScatterGather.of(partitions
                        .mapToObj(partition -> node.walk(partition, now -> new Ranking(question, now)))
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
                .setBefore(page.matched() - page.left())
                .setClosedPartitions(ranked.closed())
                .setWorst(InsightMapper.verdict(page.worst()));
        page.rows()
                .forEach(row -> reply.addQueues(ReplyMapper.description(row.queue()))
                        .addVerdicts(InsightMapper.verdict(row.verdict())));
        if (page.left() > page.rows().size()) {
            reply.setNextPageToken(
                    RankToken.of(request.getOrderValue(), page.rows().getLast().place()));
        }
        return reply.build();
    }
}
