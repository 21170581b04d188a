package io.taskmaster.server.engine.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the dedup window: lookup, expiry, memory, and recovery. */
final class DedupWindowTest {

    private static final long WINDOW_MILLIS = 120_000;
    private static final GroupName GROUP = GroupName.of("g");

    private final DedupWindow window = new DedupWindow(WINDOW_MILLIS);

    @Test
    void whatIsRememberedIsFoundUntilItsTimeIsOver() {
        add("a", 1_000);
        assertThat(find("a", 1_000)).isEqualTo(reply("a"));
        assertThat(find("a", 1_000 + WINDOW_MILLIS)).isEqualTo(reply("a"));
        assertThat(find("a", 1_001 + WINDOW_MILLIS)).isNull();
        assertThat(find("b", 1_000)).isNull();
        assertThat(window.find(GroupName.of("other"), Bytes.of("a"), 1_000)).isNull();
    }

    @Test
    void thePartsOfAKeyAreNotMixedUp() {
        window.add(new DedupEntry(GroupName.of("gg"), Bytes.of("a"), 0, reply("gg a")));
        assertThat(window.find(GroupName.of("g"), Bytes.of("ga"), 0)).isNull();
    }

    @Test
    void itsMemoryComesBackWithTheMinute() {
        add("early", 1_000);
        add("late", 59_000);
        add("next", 61_000);
        long bytes = window.bytes();
        assertThat(window.nextExpiryMillis()).isEqualTo(59_001 + WINDOW_MILLIS);
        window.expire(59_000 + WINDOW_MILLIS);
        assertThat(window.bytes()).isEqualTo(bytes);
        window.expire(59_001 + WINDOW_MILLIS);
        assertThat(window.bytes()).isBetween(1L, bytes - 1);
        window.expire(61_001 + WINDOW_MILLIS);
        assertThat(window.bytes()).isZero();
        assertThat(window.nextExpiryMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsStoredIsRestored() {
        Map<String, Long> added = new HashMap<>();
        Random random = new Random(7);
        DedupWindow restored = new DedupWindow(WINDOW_MILLIS);
        for (int i = 0; i < 20_000; i++) {
            String id = "id " + i;
            added.put(id, (long) random.nextInt(120_000));
            add(id, added.get(id));
            if (i % 1_000 == 999) {
                window.take().forEach(row -> restored.restore(row.entries()));
            }
        }
        assertThat(window.isDirty()).isFalse();
        assertThat(restored.isDirty()).isFalse();
        assertThat(restored.take()).isEmpty();
        added.forEach((id, millis) ->
                assertThat(restored.find(GROUP, Bytes.of(id), millis)).as(id).isEqualTo(reply(id)));
    }

    @Test
    void aMinuteOfWhichTheLogHasSpokenIsStoredAgain() {
        add("stored", 1_000);
        List<DedupWindow.Row> rows = window.take();
        DedupWindow recovered = new DedupWindow(WINDOW_MILLIS);
        recovered.add(new DedupEntry(GROUP, Bytes.of("replayed"), 2_000, reply("replayed")));
        rows.forEach(row -> recovered.restore(row.entries()));
        DedupWindow again = new DedupWindow(WINDOW_MILLIS);
        recovered.take().forEach(row -> again.restore(row.entries()));
        assertThat(again.find(GROUP, Bytes.of("replayed"), 2_000)).isEqualTo(reply("replayed"));
        assertThat(again.find(GROUP, Bytes.of("stored"), 2_000)).isEqualTo(reply("stored"));
    }

    /** Among this many pairs some twenty have the same hash. */
    @Test
    void idsThatShareAHashAreToldApart() {
        for (int i = 0; i < 300_000; i++) {
            window.add(new DedupEntry(GROUP, Bytes.of("id " + i), 1_000, Bytes.EMPTY));
        }
        for (int i = 300_000; i < 600_000; i++) {
            if (find("id " + i, 1_000) != null) {
                throw new AssertionError("found, and never remembered: id " + i);
            }
        }
    }

    @Test
    void aMinuteBeginsSmall() {
        add("a", 1_000);
        assertThat(window.bytes()).isEqualTo(256 + 16 * 8);
    }

    @Test
    void rememberedAgainItIsWhatItWasAndTakesNoMoreMemory() {
        add("a", 1_000);
        long bytes = window.bytes();
        for (int i = 0; i < 1_000; i++) {
            window.add(new DedupEntry(GROUP, Bytes.of("a"), 1_000 - i, Bytes.of("another reply")));
        }
        assertThat(window.bytes()).isEqualTo(bytes);
        assertThat(find("a", 1_000)).isEqualTo(reply("a"));
    }

    /** The window is shorter than a minute: the id is free again while its minute is still remembered. */
    @Test
    void anIdThatIsUsedAgainInItsMinuteIsRememberedAgain() {
        DedupWindow seconds = new DedupWindow(2_000);
        seconds.add(new DedupEntry(GROUP, Bytes.of("a"), 10_000, reply("first")));
        assertThat(seconds.find(GROUP, Bytes.of("a"), 12_001)).isNull();
        seconds.add(new DedupEntry(GROUP, Bytes.of("a"), 12_001, reply("second")));
        assertThat(seconds.find(GROUP, Bytes.of("a"), 14_001)).isEqualTo(reply("second"));
        assertThat(seconds.find(GROUP, Bytes.of("a"), 14_002)).isNull();
    }

    /**
     * Holds for every order in which the rows of a minute are read, and for any part of them that the log has replayed
     * before.
     */
    @Test
    void ofAnIdThatWasUsedAgainTheLatestUseIsRestored() {
        DedupWindow seconds = new DedupWindow(2_000);
        List<DedupWindow.Row> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seconds.add(new DedupEntry(GROUP, Bytes.of("a"), i * 2_001L, reply("use " + i)));
            rows.addAll(seconds.take());
        }
        DedupWindow forwards = new DedupWindow(2_000);
        rows.forEach(row -> forwards.restore(row.entries()));
        DedupWindow backwards = new DedupWindow(2_000);
        rows.reversed().forEach(row -> backwards.restore(row.entries()));
        for (DedupWindow restored : List.of(seconds, forwards, backwards)) {
            assertThat(restored.find(GROUP, Bytes.of("a"), 19 * 2_001L + 2_000)).isEqualTo(reply("use 19"));
        }
    }

    @Test
    void whatIsToBeStoredGoesInRowsOfWholeEntriesByTheMinute() {
        Bytes reply = Bytes.wrap(new byte[100_000]);
        for (int i = 0; i < 8; i++) {
            window.add(new DedupEntry(GROUP, Bytes.of("id " + i), i < 7 ? 59_999 : 60_000, reply));
        }
        assertThat(window.isDirty()).isTrue();
        List<DedupWindow.Row> rows = window.take();
        assertThat(rows).extracting(DedupWindow.Row::minute).containsExactly(0L, 0L, 0L, 1L);
        assertThat(rows).extracting(row -> row.entries().size() / 100_000).containsExactly(3, 3, 1, 1);
        assertThat(window.isDirty()).isFalse();
        assertThat(window.take()).as("once").isEmpty();
    }

    @Test
    void theFirstMinuteIsThatInWhichTheWindowBegins() {
        assertThat(window.firstMinute(WINDOW_MILLIS + 119_999)).isEqualTo(1);
        assertThat(window.firstMinute(WINDOW_MILLIS + 120_000)).isEqualTo(2);
        assertThat(window.firstMinute(10)).isZero();
    }

    /** An id of 16 bytes and a reply of ten: half of the entry is the index, the time and the lengths. */
    @Test
    void anEntryIsCompact() {
        byte[] id = new byte[16];
        Random random = new Random(1);
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            random.nextBytes(id);
            window.add(new DedupEntry(
                    GroupName.EMPTY, Bytes.wrap(id.clone()), 1_700_000_000_000L, Bytes.of("0123456789")));
        }
        assertThat((double) window.bytes() / count).isLessThan(75);
    }

    private void add(String id, long millis) {
        window.add(new DedupEntry(GROUP, Bytes.of(id), millis, reply(id)));
    }

    private @Nullable Bytes find(String id, long nowMillis) {
        return window.find(GROUP, Bytes.of(id), nowMillis);
    }

    private static Bytes reply(String id) {
        return Bytes.of("reply to " + id);
    }
}
