package io.taskmaster.simulation.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import io.taskmaster.simulation.world.World;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.ServiceClass;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A generator of random requests of the contract, over so few groups, queues and PIDs that they interfere all the time,
 * and based on earlier replies ({@link Knowledge}). Single-threaded: owned by the simulation.
 */
public final class RandomRequests {

    private static final QueueSelector EVERYTHING =
            QueueSelector.newBuilder().setAllGroups(true).build();

    private final RandomGenerator random;
    private final Knowledge knowledge = new Knowledge();
    private final List<ByteString> groups;
    private final List<ByteString> queues;
    private final RandomUpdates updates;
    private final int deletes;
    private final int configures;

    public RandomRequests(World world) {
        this.random = world.random.split();
        this.groups = names(1 + random.nextInt(random.nextBoolean() ? 2 : 6), "", "g", "h", "i", "j", "k");
        this.queues = names(1 + random.nextInt(3), "q", "r", "s");
        this.updates = new RandomUpdates(world, random, knowledge, queues);
        this.deletes = random.nextInt(3);
        this.configures = random.nextInt(6);
    }

    private static List<ByteString> names(int count, String... names) {
        return Stream.of(names).limit(count).map(ByteString::copyFromUtf8).toList();
    }

    /** The groups that requests are about. */
    public List<ByteString> groups() {
        return groups;
    }

    /** The queues of each group. */
    public List<ByteString> queues() {
        return queues;
    }

    /** Records a reply to a client. */
    public void observe(Message request, Message reply) {
        knowledge.observe(request, reply);
    }

    public Message next() {
        int choice = random.nextInt(100);
        if (choice < 44) {
            return updates.next(group());
        }
        if (choice < 72) {
            return lease(true);
        }
        if (choice < 79) {
            return batch();
        }
        if (choice < 84) {
            return list();
        }
        if (choice < 88) {
            return DescribeRequest.newBuilder()
                    .setQueues(selector(true))
                    .setLeasedSample(random.nextInt(3))
                    .setMaxQueues(random.nextInt(4))
                    .build();
        }
        if (choice < 100 - deletes - configures) {
            return peek();
        }
        return choice < 100 - configures ? delete() : configure();
    }

    private Message batch() {
        BatchRequest.Builder batch = BatchRequest.newBuilder();
        int operations = random.nextInt(5);
        ByteString group = group();
        for (int i = 0; i < operations; i++) {
            ByteString of = random.nextBoolean() ? group : group();
            batch.addOperations(
                    random.nextInt(3) > 0
                            ? BatchRequest.Operation.newBuilder().setUpdate(updates.next(of))
                            : BatchRequest.Operation.newBuilder().setLease(lease(random.nextInt(20) == 0)));
        }
        return batch.build();
    }

    private LeaseRequest lease(boolean mayWait) {
        LeaseRequest.Builder lease = LeaseRequest.newBuilder()
                .setQueues(selector(random.nextInt(60) == 0))
                .setMaxTasks(random.nextInt(4))
                .setLease(Durations.fromMillis(updates.leaseMillis()))
                .setMaxBytes(random.nextInt(4) == 0 ? 1 + random.nextInt(300) : 0)
                .setMaxLeasedPerQueue(random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0)
                .setWorker("w" + random.nextInt(3))
                .setServiceClass(serviceClass());
        if (random.nextInt(5) == 0) {
            lease.setMaxPid(updates.pid(group()));
        }
        if (mayWait && random.nextInt(3) == 0) {
            lease.setWait(Durations.fromMillis(1 + random.nextInt(300)));
        }
        return lease.build();
    }

    private ServiceClass serviceClass() {
        return random.nextInt(5) == 0 ? ServiceClass.BULK : ServiceClass.INTERACTIVE;
    }

    /**
     * Returns a random selector.
     *
     * @param everything whether it may select every queue, which is refused for requests that need a choice
     */
    private QueueSelector selector(boolean everything) {
        QueueSelector.Builder selector = QueueSelector.newBuilder();
        if (random.nextInt(4) == 0) {
            selector.setAllGroups(true);
        } else {
            selector.setGroup(group());
        }
        int choice = random.nextInt(everything ? 8 : 6);
        if (choice < 4) {
            selector.addNames(queue());
        }
        if (choice == 3) {
            selector.addNames(queue());
        }
        if (choice == 4 || choice == 5) {
            selector.setNameRe(random.nextBoolean() ? ".*" : "[qr]");
        }
        return selector.build();
    }

    private Message list() {
        if (random.nextBoolean() && knowledge.nextPage().isPresent()) {
            return knowledge.nextPage().get();
        }
        return ListRequest.newBuilder()
                .setQueues(random.nextBoolean() ? EVERYTHING : selector(true))
                .setMinTasks(random.nextInt(3) == 0 ? 2 : 0)
                .setMinAvailable(random.nextInt(3) == 0 ? 1 : 0)
                .setMaxQueues(random.nextInt(4))
                .build();
    }

    private Message peek() {
        if (random.nextBoolean() && knowledge.nextPeek().isPresent()) {
            return knowledge.nextPeek().get();
        }
        ByteString group = group();
        return PeekRequest.newBuilder()
                .setGroup(group)
                .setQueue(queue())
                .setFromPid(random.nextBoolean() ? ByteString.EMPTY : updates.pid(group))
                .setMaxTasks(random.nextInt(8))
                .setMaxBytes(random.nextInt(3) == 0 ? 1 + random.nextInt(500) : 0)
                .setWithData(random.nextBoolean())
                .build();
    }

    private Message delete() {
        int kind = random.nextInt(20);
        QueueSelector.Builder queues = selector(kind == 0).toBuilder();
        if (kind > 15) {
            // A deletion over all groups is the only request of which some partitions can do their part and others not.
            queues.clearGroup().setAllGroups(true);
        }
        return DeleteRequest.newBuilder().setQueues(queues).build();
    }

    private Message configure() {
        return ConfigureRequest.newBuilder()
                .setGroup(group())
                .setQueue(queue())
                .setOptions(QueueOptions.newBuilder()
                        .setPaused(random.nextInt(3) == 0)
                        .setMaxLeased(random.nextInt(3))
                        .setWeight(random.nextInt(4)))
                .build();
    }

    private ByteString group() {
        return groups.get(random.nextInt(groups.size()));
    }

    private ByteString queue() {
        return queues.get(random.nextInt(queues.size()));
    }
}
