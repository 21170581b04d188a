package io.taskmaster.server.engine.dedup;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The updates with an id that a partition has committed of late: all of them, none forgotten before its time. By the minute, so that
 * the old ones go at once; within a minute as the bytes that are stored, with an index of eight bytes and a half per entry beside
 * them. Single-threaded: owned by its partition.
 */
public final class DedupWindow {

    private static final long MINUTE_MILLIS = 60_000;

    /** Rows are about this large, or as large as an entry. */
    private static final int ROW_BYTES = 256 << 10;

    private final long windowMillis;
    private final TreeMap<Long, Minute> minutes = new TreeMap<>();
    private long bytes;

    /**
     * @param windowMillis how long an update is remembered
     */
    public DedupWindow(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** Entries of one minute that are to be stored, and go together. */
    public record Row(long minute, Bytes entries) {}

    /** What the update was answered; null if none of this id is remembered. */
    public @Nullable Bytes find(GroupName group, Bytes requestId, long nowMillis) {
        if (minutes.isEmpty()) {
            return null;
        }
        byte[] key = key(group, requestId);
        for (Minute minute : minutes.descendingMap().values()) {
            Bytes reply = minute.find(key, nowMillis - windowMillis);
            if (reply != null) {
                return reply;
            }
        }
        return null;
    }

    /** Remembers an update; the same one again changes nothing. An id that was used before counts from its latest use. */
    public void add(Memo memo) {
        byte[] key = key(memo.group(), memo.requestId());
        Minute minute = minuteOf(memo.millis());
        bytes -= minute.bytes();
        minute.add(key, memo.millis(), memo.reply());
        bytes += minute.bytes();
    }

    /**
     * Recovery, after the replay: what was stored in a row. A minute of which the log has said something is stored again as a whole.
     */
    public void restore(Bytes entries) {
        ByteReader in = new ByteReader(entries.unsafeArray());
        while (!in.isAtEnd()) {
            GroupName group = GroupName.wrap(in.sized());
            Bytes requestId = Bytes.wrap(in.sized());
            long millis = in.varint();
            Minute minute = minuteOf(millis);
            boolean stored = !minute.isDirty();
            add(new Memo(group, requestId, millis, Bytes.wrap(in.sized())));
            if (stored) {
                minute.stored();
            }
        }
    }

    /** Forgets the minutes whose time is over. */
    public void expire(long nowMillis) {
        for (Iterator<Minute> all = minutes.values().iterator(); all.hasNext(); ) {
            Minute minute = all.next();
            if (minute.newestMillis() < nowMillis - windowMillis) {
                bytes -= minute.bytes();
                all.remove();
            }
        }
    }

    /** When there is something to forget; {@link Long#MAX_VALUE}: never. */
    public long nextExpiryMillis() {
        long next = Long.MAX_VALUE;
        for (Minute minute : minutes.values()) {
            next = Math.min(next, Deadlines.afterMillis(minute.newestMillis(), windowMillis + 1));
        }
        return next;
    }

    /** Memory in use, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Whether anything is not stored yet. */
    public boolean isDirty() {
        return minutes.values().stream().anyMatch(Minute::isDirty);
    }

    /** What is to be stored, and counts as stored from here on. */
    public List<Row> take() {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<Long, Minute> minute : minutes.entrySet()) {
            for (Bytes entries : minute.getValue().take(ROW_BYTES)) {
                rows.add(new Row(minute.getKey(), entries));
            }
        }
        return rows;
    }

    /** The first minute of which anything may have to be remembered. */
    public long firstMinute(long nowMillis) {
        return Math.max(0, nowMillis - windowMillis) / MINUTE_MILLIS;
    }

    private Minute minuteOf(long millis) {
        Minute minute = minutes.get(millis / MINUTE_MILLIS);
        if (minute == null) {
            minute = new Minute();
            minutes.put(millis / MINUTE_MILLIS, minute);
            bytes += minute.bytes();
        }
        return minute;
    }

    private static byte[] key(GroupName group, Bytes requestId) {
        return new ByteWriter(group.size() + requestId.size() + 4)
                .sized(group)
                .sized(requestId)
                .finish();
    }
}
