package io.taskmaster.proxy.rpc.mapping;

import com.google.protobuf.ByteString;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.RankOrder;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.RankRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Mapping of requests other than updates to commands. Any input yields either a command for which every limit holds, or
 * a {@link io.taskmaster.error.TaskMasterException} that names the field. Thread-safe.
 */
public final class RequestMapper {

    private static final int DEFAULT_TASKS = 1;
    private static final int DEFAULT_PEEK_TASKS = 100;
    /** The default bound on the data in a reply, so that a stub with default limits can receive it. */
    public static final int DEFAULT_BYTES = 3 << 20;

    private static final int DEFAULT_LIST_QUEUES = 1_000;
    private static final int DEFAULT_DESCRIBE_QUEUES = 100;
    private static final int DEFAULT_RANK_QUEUES = 50;

    private final Patterns patterns = new Patterns();

    public Command.Lease lease(LeaseRequest request, String address) {
        QueueSelector queues = request.getQueues();
        ServiceClasses.check(request.getServiceClass());
        return new Command.Lease(
                choosing(queues),
                Fields.count(
                        request.getMaxTasks(),
                        DEFAULT_TASKS,
                        Limits.LEASE_TASKS,
                        ErrorCode.LEASE_TOO_LARGE,
                        "max_tasks"),
                Fields.count(
                        request.getMaxBytes(),
                        DEFAULT_BYTES,
                        Limits.LEASE_BYTES,
                        ErrorCode.LEASE_TOO_LARGE,
                        "max_bytes"),
                request.hasLease()
                        ? Fields.leaseMillis(request.getLease(), "lease", 0)
                        : UpdateMapper.DEFAULT_LEASE_MILLIS,
                request.hasMaxPid() ? Optional.of(Fields.pid(request.getMaxPid(), "max_pid", 0)) : Optional.empty(),
                request.hasWait() ? Fields.waitMillis(request.getWait(), "wait") : 0,
                Integer.toUnsignedLong(request.getMaxLeasedPerQueue()),
                worker(request.getWorker()),
                address);
    }

    public Command.ListQueues list(ListRequest request) {
        Selector selector = selector(request.getQueues());
        Optional<QueueKey> after = PageToken.parse(request.getPageToken());
        if (after.isPresent()) {
            requireIn(selector, after.get(), request.getPageToken());
        }
        return new Command.ListQueues(
                selector,
                Math.max(request.getConfigured() ? 0 : 1, saturatedLong(request.getMinTasks())),
                saturatedLong(request.getMinAvailable()),
                Fields.count(
                        request.getMaxQueues(),
                        DEFAULT_LIST_QUEUES,
                        Limits.LIST_QUEUES,
                        ErrorCode.INVALID_FIELD,
                        "max_queues"),
                after);
    }

    public Command.Describe describe(DescribeRequest request) {
        int queues = Fields.count(
                request.getMaxQueues(),
                DEFAULT_DESCRIBE_QUEUES,
                Limits.DESCRIBE_QUEUES,
                ErrorCode.INVALID_FIELD,
                "max_queues");
        // The limit is that of all queues of the reply together.
        int sample = Fields.count(
                request.getLeasedSample(),
                0,
                Limits.DESCRIBE_SAMPLES / queues,
                ErrorCode.INVALID_FIELD,
                "leased_sample");
        return new Command.Describe(selector(request.getQueues()), sample, queues);
    }

    public Ranking.Question rank(RankRequest request) {
        Selector selector = selector(request.getQueues());
        Optional<Ranking.Place> after = RankToken.parse(request.getOrderValue(), request.getPageToken());
        if (after.isPresent()) {
            requireIn(selector, after.get().queue(), request.getPageToken());
        }
        return new Ranking.Question(
                selector,
                order(request),
                request.getDescending(),
                Fields.count(
                        request.getMaxQueues(),
                        DEFAULT_RANK_QUEUES,
                        Limits.RANK_QUEUES,
                        ErrorCode.INVALID_FIELD,
                        "max_queues"),
                after);
    }

    private static RankOrder order(RankRequest request) {
        return switch (request.getOrder()) {
            case QUEUE_NAME -> RankOrder.NAME;
            case QUEUE_AVAILABLE -> RankOrder.AVAILABLE;
            case QUEUE_LEASED -> RankOrder.LEASED;
            case QUEUE_DELAYED -> RankOrder.DELAYED;
            case QUEUE_TASKS -> RankOrder.TASKS;
            case QUEUE_OLDEST -> RankOrder.OLDEST;
            case QUEUE_ENQUEUE_RATE -> RankOrder.ENQUEUE_RATE;
            case QUEUE_LEASE_RATE -> RankOrder.LEASE_RATE;
            case QUEUE_DEQUEUE_RATE -> RankOrder.DEQUEUE_RATE;
            case QUEUE_EXPIRED_LEASES -> RankOrder.EXPIRED_LEASES;
            case UNRECOGNIZED ->
                throw Fields.invalid(
                        ErrorCode.INVALID_FIELD,
                        "order",
                        Integer.toString(request.getOrderValue()),
                        "an order that this server knows");
        };
    }

    /** Refuses a token of another group than the selector's. */
    private static void requireIn(Selector selector, QueueKey after, String token) {
        if (selector.group().isPresent() && !selector.group().get().equals(after.group())) {
            throw PageToken.bad(token);
        }
    }

    public Command.Peek peek(PeekRequest request) {
        GroupName group = Fields.group(request.getGroup(), "group");
        QueueName queue = Fields.queue(request.getQueue(), "queue", 0);
        ByteString from = request.getFromPid();
        return new Command.Peek(
                new QueueKey(group, queue),
                from.isEmpty() ? Pid.EMPTY : Fields.pid(from, "from_pid", 0),
                Fields.count(
                        request.getMaxTasks(),
                        DEFAULT_PEEK_TASKS,
                        Limits.PEEK_TASKS,
                        ErrorCode.INVALID_FIELD,
                        "max_tasks"),
                Fields.count(
                        request.getMaxBytes(), DEFAULT_BYTES, Limits.PEEK_BYTES, ErrorCode.INVALID_FIELD, "max_bytes"),
                request.getWithData());
    }

    public Command.Configure configure(ConfigureRequest request) {
        GroupName group = Fields.group(request.getGroup(), "group");
        QueueName queue = Fields.queue(request.getQueue(), "queue", 0);
        return new Command.Configure(
                new QueueKey(group, queue),
                new QueueOptions(
                        request.getOptions().getPaused(),
                        Integer.toUnsignedLong(request.getOptions().getMaxLeased()),
                        Fields.count(
                                request.getOptions().getWeight(),
                                QueueOptions.SAME_WEIGHT,
                                Limits.QUEUE_WEIGHT,
                                ErrorCode.INVALID_FIELD,
                                "options.weight")));
    }

    public Command.Delete delete(DeleteRequest request) {
        return new Command.Delete(choosing(request.getQueues()));
    }

    /** Returns a selector that must not stand for every queue. */
    private Selector choosing(QueueSelector selector) {
        if (selector.getNamesCount() == 0 && selector.getNameRe().isEmpty()) {
            throw Fields.invalid(
                    ErrorCode.EMPTY_SELECTOR, "queues", "neither names nor name_re", "at least one of them");
        }
        return selector(selector);
    }

    private Selector selector(QueueSelector selector) {
        if (selector.getAllGroups() && !selector.getGroup().isEmpty()) {
            throw Fields.invalid(
                    ErrorCode.INVALID_FIELD,
                    "queues.group",
                    "given together with all_groups",
                    "no group if all_groups is set");
        }
        Optional<GroupName> group = selector.getAllGroups()
                ? Optional.empty()
                : Optional.of(Fields.group(selector.getGroup(), "queues.group"));
        return new Selector(group, names(selector), pattern(selector));
    }

    private Optional<NamePattern> pattern(QueueSelector selector) {
        if (selector.getNameRe().isEmpty()) {
            if (selector.getWithoutDeadLetters()) {
                throw Fields.invalid(
                        ErrorCode.INVALID_FIELD, "queues.without_dead_letters", "true", "only together with name_re");
            }
            return Optional.empty();
        }
        NamePattern pattern = patterns.compile(selector.getNameRe());
        return Optional.of(selector.getWithoutDeadLetters() ? pattern.withoutDeadLetters() : pattern);
    }

    /** Returns the names, each once. */
    private static List<QueueName> names(QueueSelector selector) {
        int count = selector.getNamesCount();
        if (count > Limits.SELECTOR_NAMES) {
            throw Fields.invalid(
                    ErrorCode.INVALID_FIELD,
                    "queues.names",
                    count + " names",
                    Fields.expectedAtMost(Limits.SELECTOR_NAMES));
        }
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(Fields.queue(selector.getNames(0), "queues.names[#]", 0));
        }
        var names = new LinkedHashSet<QueueName>();
        for (int i = 0; i < count; i++) {
            names.add(Fields.queue(selector.getNames(i), "queues.names[#]", i));
        }
        return new ArrayList<>(names);
    }

    private static String worker(String worker) {
        if (worker.length() > Limits.WORKER_BYTES || Fields.utf8Length(worker) > Limits.WORKER_BYTES) {
            throw Fields.invalid(
                    ErrorCode.NAME_TOO_LONG,
                    "worker",
                    worker.length() + " characters",
                    Fields.expectedAtMost(Limits.WORKER_BYTES) + " bytes");
        }
        return worker;
    }

    /** Returns an unsigned number as a signed one, capped: no queue is larger than {@code Long.MAX_VALUE}. */
    private static long saturatedLong(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
