package io.taskmaster.server.access;

import static java.util.Map.entry;

import java.util.Map;

/**
 * What an endpoint asks of those who call it. Immutable.
 *
 * @param role that a caller must have
 * @param recorded which calls the audit log has
 */
public record Rule(Role role, Recorded recorded) {

    /** Which calls go on record. */
    public enum Recorded {
        NONE,
        /** Those that take what they hold no lease of. */
        FORCED,
        /** All, and whoever tried in vain: they change how queues are, rather than what is in them. */
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
     * Every endpoint of both ports: methods of gRPC by their full name, which is also what they are over HTTP, and paths that only HTTP has. One that is
     * not here takes all there is.
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
            // The page itself, which is the same for everybody; what it shows it has to ask for.
            entry("/", OPEN),
            entry("/openapi.json", READ));

    /** Of an endpoint, whatever it is called. */
    public static Rule of(String endpoint) {
        return TABLE.getOrDefault(endpoint, WORK);
    }
}
