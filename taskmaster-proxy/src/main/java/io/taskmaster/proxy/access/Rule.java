package io.taskmaster.proxy.access;

import static java.util.Map.entry;

import java.util.Map;

/**
 * The requirement of an endpoint on its callers. Immutable.
 *
 * @param role that a caller must have
 * @param recorded the calls that are audited
 */
public record Rule(Role role, Recorded recorded) {

    /** The calls of an endpoint that are audited. */
    public enum Recorded {
        NONE,
        /** Calls that change tasks without naming a lease. */
        FORCED,
        /** All calls, refused ones included: the endpoint changes queues themselves rather than their tasks. */
        ALL
    }

    private static final Rule OPEN = new Rule(Role.NONE, Recorded.NONE);
    private static final Rule READ = new Rule(Role.READ, Recorded.NONE);
    private static final Rule WORK = new Rule(Role.FULL, Recorded.NONE);
    private static final Rule UPDATE = new Rule(Role.FULL, Recorded.FORCED);
    private static final Rule ADMINISTER = new Rule(Role.FULL, Recorded.ALL);

    private static final String CONTRACT = "taskmaster.v1.TaskMaster/";
    private static final String INSIGHT = "taskmaster.v1.Insight/";

    /**
     * Rules of every endpoint of both ports. Methods of gRPC are listed by their full names, over HTTP as well; paths
     * that only HTTP has by themselves. An endpoint that is not listed requires {@link Role#FULL}.
     */
    public static final Map<String, Rule> TABLE = Map.ofEntries(
            entry(CONTRACT + "UpdateTasks", UPDATE),
            entry(CONTRACT + "LeaseTasks", WORK),
            entry(CONTRACT + "Batch", UPDATE),
            entry(CONTRACT + "ListQueues", READ),
            entry(CONTRACT + "DescribeQueues", READ),
            entry(CONTRACT + "PeekTasks", READ),
            entry(CONTRACT + "DeleteQueues", ADMINISTER),
            entry(CONTRACT + "ConfigureQueue", ADMINISTER),
            entry(INSIGHT + "ShowFlow", READ),
            entry(INSIGHT + "ShowHistory", READ),
            entry(INSIGHT + "RankQueues", READ),
            entry(INSIGHT + "ShowClearing", READ),
            entry("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", READ),
            entry("grpc.health.v1.Health/Check", OPEN),
            entry("grpc.health.v1.Health/Watch", OPEN),
            entry("/healthz", OPEN),
            entry("/metrics", READ),
            entry("/whoami", READ),
            // The page itself is the same for every caller; its data are requested from other endpoints.
            entry("/", OPEN),
            entry("/openapi.json", READ));

    /** Returns the rule of an endpoint, listed or not. */
    public static Rule of(String endpoint) {
        return TABLE.getOrDefault(endpoint, WORK);
    }
}
