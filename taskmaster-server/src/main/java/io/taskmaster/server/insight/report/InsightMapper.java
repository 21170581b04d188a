package io.taskmaster.server.insight.report;

import io.taskmaster.command.Verdict;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.rpc.mapping.ProtoBytes;
import io.taskmaster.proxy.rpc.mapping.ReplyMapper;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.insight.FlowFinding;
import io.taskmaster.server.insight.Point;
import io.taskmaster.server.insight.Resolution;
import io.taskmaster.v1.FlowReply;
import io.taskmaster.v1.HandOff;
import io.taskmaster.v1.HistoryPoint;
import io.taskmaster.v1.HistoryReply;
import io.taskmaster.v1.HistoryRequest.Reach;
import io.taskmaster.v1.QueueFamily;
import io.taskmaster.v1.QueueFamilyName;
import io.taskmaster.wire.TimeMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Mapping between the node's insight ({@link io.taskmaster.server.insight}) and the messages of its service.
 * Thread-safe: stateless.
 */
final class InsightMapper {

    /** The bound on families in one flow; each takes some 200 bytes. */
    static final int FLOW_FAMILIES = 1_000;

    /** The bound on hand-offs in one flow. */
    static final int FLOW_HAND_OFFS = 5_000;

    /** The bound on findings in one flow; the most urgent ones are kept. */
    static final int FLOW_FINDINGS = 100;

    private static final double NANOS_PER_SECOND = 1_000_000_000;

    private InsightMapper() {}

    static FlowReply flow(FlowSnapshot flow, List<FlowFinding> findings, long nowMillis) {
        FlowSnapshot.Excerpt excerpt = flow.excerpt(FLOW_FAMILIES, FLOW_HAND_OFFS);
        FlowReply.Builder reply = FlowReply.newBuilder()
                .setAt(TimeMapper.toProto(Instant.ofEpochMilli(nowMillis)))
                .setFamiliesLeftOut(excerpt.families())
                .setHandOffsLeftOut(excerpt.handOffs());
        Map<FamilyName, Integer> numbers = new HashMap<>();
        for (FlowSnapshot.Node family : excerpt.flow().nodes()) {
            numbers.put(family.name(), numbers.size());
            reply.addFamilies(family(family));
        }
        for (FlowSnapshot.Edge edge : excerpt.flow().edges()) {
            Integer from = numbers.get(edge.from());
            Integer to = numbers.get(edge.to());
            if (from != null && to != null) {
                reply.addHandOffs(HandOff.newBuilder().setFrom(from).setTo(to).setTasks(edge.tasks()));
            }
        }
        findings.stream().limit(FLOW_FINDINGS).forEach(flowFinding -> reply.addFindings(finding(flowFinding)));
        return reply.build();
    }

    private static io.taskmaster.v1.Finding.Builder finding(FlowFinding flowFinding) {
        io.taskmaster.v1.Finding.Builder message = io.taskmaster.v1.Finding.newBuilder()
                .setVerdict(ReplyMapper.verdict(flowFinding.verdict()))
                .setFamily(name(flowFinding.family()))
                .setQueues(flowFinding.queues())
                .setTasks(flowFinding.tasks())
                .setEnqueueRate(flowFinding.enqueuedPerSecond())
                .setDequeueRate(flowFinding.dequeuedPerSecond());
        flowFinding
                .queue()
                .ifPresent(queue ->
                        message.setQueueGroup(ProtoBytes.of(queue.group())).setQueue(ProtoBytes.of(queue.name())));
        if (flowFinding.verdict() == Verdict.BEHIND && flowFinding.dequeuedPerSecond() > 0) {
            message.setTimeLeft(
                    TimeMapper.toProto(Duration.ofNanos((long) (flowFinding.secondsLeft() * NANOS_PER_SECOND))));
        }
        return message;
    }

    private static QueueFamily family(FlowSnapshot.Node family) {
        return QueueFamily.newBuilder()
                .setName(name(family.name()))
                .setQueues(family.queues())
                .setAvailable(family.available())
                .setLeased(family.leased())
                .setDelayed(family.delayed())
                .setEnqueued(family.enqueued())
                .setLeases(family.leases())
                .setDequeued(family.dequeued())
                .setExpired(family.expired())
                .setEnded(family.ended())
                .build();
    }

    private static QueueFamilyName name(FamilyName family) {
        QueueFamilyName.Builder name = QueueFamilyName.newBuilder()
                .setHead(ProtoBytes.of(family.head()))
                .setOpen(family.isOpen())
                .setTail(ProtoBytes.of(family.tail()));
        family.group().ifPresentOrElse(group -> name.setGroup(ProtoBytes.of(group)), () -> name.setAnyGroup(true));
        return name.build();
    }

    static FamilyName family(QueueFamilyName name) {
        return new FamilyName(
                name.getAnyGroup()
                        ? Optional.empty()
                        : Optional.of(GroupName.wrap(ProtoBytes.arrayOf(name.getGroup()))),
                Bytes.wrap(ProtoBytes.arrayOf(name.getHead())),
                name.getOpen(),
                Bytes.wrap(ProtoBytes.arrayOf(name.getTail())));
    }

    static Resolution resolution(Reach reach) {
        return switch (reach) {
            case LAST_HOUR -> Resolution.LAST_HOUR;
            case LAST_DAY -> Resolution.LAST_DAY;
            case UNRECOGNIZED ->
                throw new TaskMasterException(
                        ErrorCode.INVALID_FIELD, "reach: unknown (expected: LAST_HOUR or LAST_DAY)");
        };
    }

    static HistoryReply history(List<Point> points) {
        HistoryReply.Builder reply = HistoryReply.newBuilder().setKept(true);
        points.forEach(point -> reply.addPoints(point(point)));
        return reply.build();
    }

    private static HistoryPoint point(Point point) {
        HistoryPoint.Builder mapped = HistoryPoint.newBuilder()
                .setAt(TimeMapper.toProto(Instant.ofEpochMilli(point.atMillis())))
                .setSpan(TimeMapper.toProto(Duration.ofMillis(point.spanMillis())))
                .setAvailable(point.available())
                .setLeased(point.leased())
                .setDelayed(point.delayed())
                .setEnqueueRate(point.perSecond(point.enqueued()))
                .setLeaseRate(point.perSecond(point.leases()))
                .setDequeueRate(point.perSecond(point.dequeued()))
                .setExpiryRate(point.perSecond(point.expired()));
        if (point.oldestAgeMillis() > 0) {
            mapped.setOldestAvailableAge(TimeMapper.toProto(Duration.ofMillis(point.oldestAgeMillis())));
        }
        return mapped.build();
    }
}
