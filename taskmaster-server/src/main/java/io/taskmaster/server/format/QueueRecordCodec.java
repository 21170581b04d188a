package io.taskmaster.server.format;

import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;

/**
 * The codec of what is stored of queues beside their tasks: records, options, reap marks and remembered requests.
 * Stateless.
 */
public final class QueueRecordCodec {

    private static final int VERSION = 2;
    private static final int MARK_VERSION = 1;
    private static final int OPTIONS_VERSION = 2;
    private static final int REQUESTS_VERSION = 1;

    private QueueRecordCodec() {}

    public static Bytes encode(QueueRecord record) {
        ByteWriter out = new ByteWriter(64);
        out.octet(VERSION)
                .varint(record.generation())
                .varint(record.sizes().available())
                .varint(record.sizes().leased())
                .varint(record.sizes().delayed());
        out.varint(record.maxFifo().ticket()).varint(record.maxFifo().index() & 0xffff_ffffL);
        return Bytes.wrap(out.sized(record.lowWater()).finish());
    }

    public static QueueRecord decode(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        int version = in.version(1, VERSION);
        QueueRecord record = new QueueRecord(
                in.varint(),
                AtomCodec.readSizes(in, version),
                new FifoPid(in.varint(), (int) in.varint()),
                Pid.wrap(in.sized()));
        in.end();
        return record;
    }

    public static Bytes encode(QueueOptions options) {
        ByteWriter out = new ByteWriter(16).octet(OPTIONS_VERSION);
        AtomCodec.writeOptions(out, options);
        return Bytes.wrap(out.finish());
    }

    public static QueueOptions decodeOptions(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        int version = in.version(1, OPTIONS_VERSION);
        QueueOptions options = AtomCodec.readOptions(in, version >= OPTIONS_VERSION);
        in.end();
        return options;
    }

    /** Encodes remembered requests. The entries are those of the window itself. */
    public static Bytes encode(DedupWindow.Row row) {
        byte[] entries = row.entries().unsafeArray();
        return Bytes.wrap(new ByteWriter(entries.length + 1)
                .octet(REQUESTS_VERSION)
                .raw(entries)
                .finish());
    }

    public static Bytes decodeRequests(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        in.version(REQUESTS_VERSION);
        return Bytes.wrap(in.remaining());
    }

    public static Bytes encode(ReapMark mark) {
        return Bytes.wrap(new ByteWriter(16)
                .octet(MARK_VERSION)
                .varint(mark.belowGeneration())
                .finish());
    }

    public static ReapMark decodeMark(QueueKey queue, Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        in.version(MARK_VERSION);
        ReapMark mark = new ReapMark(queue, in.varint());
        in.end();
        return mark;
    }
}
