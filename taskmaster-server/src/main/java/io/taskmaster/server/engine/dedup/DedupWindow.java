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
 * The updates with a request id that a partition has committed lately: all of them, none dropped before it expires.
 * They are kept by the minute, so that expired ones go at once; within a minute as the bytes that are stored, with an
 * index of eight and a half bytes per entry. Single-threaded: owned by the partition's loop.
 */
public final class DedupWindow {

    private static final long MINUTE_MILLIS = 60_000;

    /** The size of a row, about, unless an entry is larger. */
    private static final int ROW_BYTES = 256 << 10;

    private final long windowMillis;
    private final TreeMap<Long, Minute> minutes = new TreeMap<>();
    private long bytes;

    /** @param windowMillis how long an update is remembered */
    public DedupWindow(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** A row of entries of one minute, which are stored and deleted together. */
    public record Row(long minute, Bytes entries) {}

    /** Returns the reply to the update; null if none of this id is remembered. */
    public @Nullable Bytes find(GroupName group, Bytes requestId, long nowMillis) {
        if (minutes.isEmpty()) {
            return null;
        }
        byte[] key = key(group, requestId);
        // The newest minute comes first: an id that was used again counts from its latest use.
        for (Minute minute : minutes.descendingMap().values()) {
            Bytes reply = minute.find(key, nowMillis - windowMillis);
            if (reply != null) {
                return reply;
            }
        }
        return null;
    }

    /**
     * Remembers an update; the same one again changes nothing. An id that was used before counts from its latest use.
     */
    public void add(DedupEntry dedupEntry) {
        byte[] key = key(dedupEntry.group(), dedupEntry.requestId());
        Minute minute = minuteOf(dedupEntry.millis());
        bytes -= minute.bytes();
        minute.add(key, dedupEntry.millis(), dedupEntry.reply());
        bytes += minute.bytes();
    }

    /**
     * Restores the entries of a stored row. Called in recovery, after the replay. A minute that the replay has added to
     * is stored again as a whole.
     */
    public void restore(Bytes entries) {
        ByteReader in = new ByteReader(entries.unsafeArray());
        while (!in.isAtEnd()) {
            GroupName group = GroupName.wrap(in.sized());
            Bytes requestId = Bytes.wrap(in.sized());
            long millis = in.varint();
            Minute minute = minuteOf(millis);
            boolean stored = !minute.isDirty();
            add(new DedupEntry(group, requestId, millis, Bytes.wrap(in.sized())));
            if (stored) {
                minute.stored();
            }
        }
    }

    /** Drops the minutes that have expired. */
    public void expire(long nowMillis) {
        for (Iterator<Minute> all = minutes.values().iterator(); all.hasNext(); ) {
            Minute minute = all.next();
            if (minute.newestMillis() < nowMillis - windowMillis) {
                bytes -= minute.bytes();
                all.remove();
            }
        }
    }

    /** Returns the time of the next expiry; {@link Long#MAX_VALUE}: never. */
    public long nextExpiryMillis() {
        long next = Long.MAX_VALUE;
        for (Minute minute : minutes.values()) {
            // One more: expire() keeps what is exactly as old as the window.
            next = Math.min(next, Deadlines.afterMillis(minute.newestMillis(), windowMillis + 1));
        }
        return next;
    }

    /** The memory in use, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns whether anything is not stored yet. */
    public boolean isDirty() {
        return minutes.values().stream().anyMatch(Minute::isDirty);
    }

    /** Takes the entries that are to be stored. They count as stored from here on. */
    public List<Row> take() {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<Long, Minute> minute : minutes.entrySet()) {
            for (Bytes entries : minute.getValue().take(ROW_BYTES)) {
                rows.add(new Row(minute.getKey(), entries));
            }
        }
        return rows;
    }

    /** Returns the first minute of which an update may have to be remembered. */
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
