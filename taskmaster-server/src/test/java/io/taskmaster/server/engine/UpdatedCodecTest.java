package io.taskmaster.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.Reply.Status;
import io.taskmaster.server.engine.Reply.Updated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class UpdatedCodecTest {

    private static final List<Status> STATUSES = List.of(Status.values());

    private final Random random = new Random(5);

    @Test
    void everyReplyComesBackAsItWas() {
        for (int i = 0; i < 5_000; i++) {
            List<Status> enqueues = statuses();
            List<Pid> pids = new ArrayList<>();
            FifoPid last = FifoPid.NONE;
            for (int j = 0; j < enqueues.size(); j++) {
                last = random.nextInt(4) > 0
                        ? new FifoPid(last.ticket(), last.index() + 1)
                        : new FifoPid(random.nextLong() >>> random.nextInt(1, 64), random.nextInt());
                pids.add(random.nextInt(3) == 0 ? Pid.of("p" + random.nextInt(1_000)) : last.toPid());
            }
            Updated reply = new Updated(true, enqueues, statuses(), statuses(), statuses(), pids);
            assertThat(UpdatedCodec.decode(UpdatedCodec.encode(reply))).isEqualTo(reply);
        }
    }

    @Test
    void aThousandAssignedPidsTakeSomeBytes() {
        List<Pid> pids = IntStream.range(0, 1_000)
                .mapToObj(i -> new FifoPid(1L << 40, i).toPid())
                .toList();
        Updated reply = new Updated(true, Collections.nCopies(1_000, Status.OK), List.of(), List.of(), List.of(), pids);
        assertThat(UpdatedCodec.encode(reply).size()).isLessThan(25);
    }

    private List<Status> statuses() {
        List<Status> statuses = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            Status status = STATUSES.get(random.nextInt(STATUSES.size()));
            statuses.addAll(Collections.nCopies(1 + random.nextInt(3), status));
        }
        return statuses;
    }
}
