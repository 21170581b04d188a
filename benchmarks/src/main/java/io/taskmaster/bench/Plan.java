package io.taskmaster.bench;

import com.google.common.base.Ascii;
import io.taskmaster.bench.workload.CollideWorkload;
import io.taskmaster.bench.workload.DeleteWorkload;
import io.taskmaster.bench.workload.EchoWorkload;
import io.taskmaster.bench.workload.EnqueueWorkload;
import io.taskmaster.bench.workload.LeaseWorkload;
import io.taskmaster.bench.workload.RandomPidsWorkload;
import io.taskmaster.bench.workload.RawWorkload;
import io.taskmaster.bench.workload.RecoveryWorkload;
import io.taskmaster.bench.workload.StageWorkload;
import io.taskmaster.bench.workload.Workload;
import io.taskmaster.bench.workload.isolation.IsolationWorkload;
import io.taskmaster.bench.workload.queues.QueuesWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The names of workloads on the command line, and the rows that each stands for. Their order is that of the table. */
enum Plan {
    ECHO {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(false, true)
                    .flatMap(isPair -> batches.stream().map(batch -> new EchoWorkload(isPair, batch)));
        }
    },
    RAW {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return RAW_BATCHES.stream().map(RawWorkload::new);
        }
    },
    ENQUEUE {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return batches.stream().map(batch -> new EnqueueWorkload(false, batch));
        }
    },
    FIFO {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return batches.stream().map(batch -> new EnqueueWorkload(true, batch));
        }
    },
    LEASE {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return batches.stream().map(batch -> new LeaseWorkload(false, batch));
        }
    },
    HANDOFF {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return batches.stream().map(batch -> new LeaseWorkload(true, batch));
        }
    },
    STAGE {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new StageWorkload());
        }
    },
    COLLIDE {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return COLLISION_PERCENTAGES.stream().map(CollideWorkload::new);
        }
    },
    RANDOM {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new RandomPidsWorkload(RANDOM_BACKLOG));
        }
    },
    DELETE {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new DeleteWorkload(DELETED_TASKS));
        }
    },
    RECOVERY {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new RecoveryWorkload(RECOVERY_ROUNDS));
        }
    },
    QUEUES {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new QueuesWorkload(FEW_QUEUES, MANY_QUEUES));
        }
    },
    ISOLATION {
        @Override
        Stream<Workload> rows(List<Integer> batches) {
            return Stream.of(new IsolationWorkload(LOADING_CLIENTS));
        }
    };

    private static final List<Integer> RAW_BATCHES = List.of(1, 50, 200);
    private static final List<Integer> COLLISION_PERCENTAGES = List.of(0, 10, 50, 90, 100);
    private static final int RANDOM_BACKLOG = 300_000;
    private static final int DELETED_TASKS = 1_000_000;
    private static final int RECOVERY_ROUNDS = 3;
    private static final int FEW_QUEUES = 10;
    private static final int MANY_QUEUES = 100_000;
    private static final List<Integer> LOADING_CLIENTS = List.of(1, 2, 5, 10);

    /** Returns the rows of this workload. A workload with a batch has a row for each size. */
    abstract Stream<Workload> rows(List<Integer> batches);

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return Ascii.toLowerCase(name());
    }

    /**
     * Returns the rows of several workloads without repetition, in the order of the table, whatever the order of their
     * names.
     */
    static List<Workload> rows(List<Plan> plans, List<Integer> batches) {
        List<Workload> rows = new ArrayList<>();
        plans.stream().sorted().distinct().forEach(plan -> plan.rows(batches).forEach(rows::add));
        return rows;
    }
}
