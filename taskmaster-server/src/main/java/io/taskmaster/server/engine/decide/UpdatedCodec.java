package io.taskmaster.server.engine.decide;

import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import java.util.ArrayList;
import java.util.List;

/**
 * The codec of the reply to an update that succeeded, as the dedup window keeps it: statuses as runs of equal ones, and
 * assigned PIDs as runs of consecutive ones. So a thousand tasks enqueued without a PID take some twenty bytes.
 * Stateless.
 */
final class UpdatedCodec {

    private static final int VERSION = 1;
    private static final int EXPLICIT = 0;
    private static final int ASSIGNED = 1;

    /** The statuses by their codes. */
    private static final List<Status> STATUSES = List.of(
            Status.OK,
            Status.COLLAPSED,
            Status.ALREADY_EXISTS,
            Status.LEASED,
            Status.NOT_FOUND,
            Status.LEASE_LOST,
            Status.LEASE_EXPIRED,
            Status.ABORTED);

    /** The bound on a run. No update has more elements. */
    private static final int MAX_RUN = 1 << 20;

    private UpdatedCodec() {}

    static Bytes encode(Updated reply) {
        ByteWriter out = new ByteWriter(32).octet(VERSION);
        writeStatuses(out, reply.enqueues());
        writeStatuses(out, reply.dequeues());
        writeStatuses(out, reply.renewals());
        writeStatuses(out, reply.releases());
        List<Pid> pids = reply.assignedPids();
        for (int i = 0; i < pids.size(); ) {
            int run = runOfAssigned(pids, i);
            if (run == 0) {
                out.octet(EXPLICIT).sized(pids.get(i));
                i++;
            } else {
                FifoPid first = FifoPid.parse(pids.get(i)).orElseThrow();
                out.octet(ASSIGNED).varint(first.ticket()).varint(first.index() & 0xffff_ffffL);
                out.varint(run);
                i += run;
            }
        }
        return Bytes.wrap(out.finish());
    }

    static Updated decode(Bytes bytes) {
        ByteReader in = new ByteReader(bytes.unsafeArray());
        in.version(VERSION);
        List<Status> enqueues = readStatuses(in);
        List<Status> dequeues = readStatuses(in);
        List<Status> renewals = readStatuses(in);
        List<Status> releases = readStatuses(in);
        List<Pid> pids = new ArrayList<>(enqueues.size());
        while (pids.size() < enqueues.size()) {
            if (in.octet() == EXPLICIT) {
                pids.add(Pid.wrap(in.sized()));
            } else {
                long ticket = in.varint();
                int index = (int) in.varint();
                int run = in.varint32();
                if (run < 1 || run > enqueues.size() - pids.size()) {
                    throw new CorruptRecordException("run of PIDs: " + run + " (expected: 1 to what is left)");
                }
                for (int i = 0; i < run; i++) {
                    pids.add(new FifoPid(ticket, index + i).toPid());
                }
            }
        }
        in.end();
        return new Updated(true, enqueues, dequeues, renewals, releases, pids);
    }

    /** Returns the number of PIDs from here on that are of the assigned form and follow each other in one atom. */
    private static int runOfAssigned(List<Pid> pids, int from) {
        FifoPid first = FifoPid.parse(pids.get(from)).orElse(FifoPid.NONE);
        if (first.equals(FifoPid.NONE) || first.ticket() < 0) {
            return 0;
        }
        int run = 1;
        while (from + run < pids.size()
                && pids.get(from + run).equals(new FifoPid(first.ticket(), first.index() + run).toPid())) {
            run++;
        }
        return run;
    }

    private static void writeStatuses(ByteWriter out, List<Status> statuses) {
        out.varint(statuses.size());
        for (int i = 0; i < statuses.size(); ) {
            int run = 1;
            while (i + run < statuses.size() && statuses.get(i + run) == statuses.get(i)) {
                run++;
            }
            out.octet(STATUSES.indexOf(statuses.get(i))).varint(run);
            i += run;
        }
    }

    private static List<Status> readStatuses(ByteReader in) {
        int count = in.varint32();
        List<Status> statuses = new ArrayList<>(Math.min(count, 1024));
        while (statuses.size() < count) {
            int code = in.octet();
            int run = in.varint32();
            if (code >= STATUSES.size() || run < 1 || run > Math.min(count - statuses.size(), MAX_RUN)) {
                throw new CorruptRecordException("run of statuses: " + run + " of code " + code);
            }
            for (int i = 0; i < run; i++) {
                statuses.add(STATUSES.get(code));
            }
        }
        return statuses;
    }
}
