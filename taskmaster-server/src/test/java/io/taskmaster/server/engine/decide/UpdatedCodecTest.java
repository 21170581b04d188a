package io.taskmaster.server.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the codec of remembered replies. */
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

    @Test
    void whatNobodyHasWrittenIsRefused() {
        byte[] one = {1, 0, 1};
        byte[] pid = {0, 1, 'p'};
        assertThat(UpdatedCodec.decode(updated(one, pid)).assignedPids()).containsExactly(Pid.of("p"));
        assertRefused("a status that there is not", new byte[] {1, 8, 1}, pid);
        assertRefused("no status at all", new byte[] {1, 0, 0}, pid);
        assertRefused("more than all statuses", new byte[] {2, 0, 3}, pid, pid);
        assertRefused("more statuses than are left", new byte[] {2, 0, 1, 0, 2}, pid, pid);
        assertRefused("more PIDs than are left", new byte[] {2, 0, 2}, pid, new byte[] {1, 9, 0, 2});
        assertRefused("no PID", one, new byte[] {1, 9, 0, 0});
        assertRefused("more than all of it", one, pid, new byte[] {0});
    }

    private static void assertRefused(String what, byte[] enqueues, byte[]... pids) {
        assertThatThrownBy(() -> UpdatedCodec.decode(updated(enqueues, pids)))
                .as(what)
                .isInstanceOf(CorruptRecordException.class);
    }

    /** Returns the bytes of a reply to enqueues alone. */
    private static Bytes updated(byte[] enqueues, byte[]... pids) {
        ByteWriter out =
                new ByteWriter(32).octet(1).raw(enqueues).octet(0).octet(0).octet(0);
        for (byte[] pid : pids) {
            out.raw(pid);
        }
        return Bytes.wrap(out.finish());
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
