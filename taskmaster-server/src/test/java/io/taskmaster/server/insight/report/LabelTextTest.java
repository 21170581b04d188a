package io.taskmaster.server.insight.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.Labels;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of {@link LabelText}. */
final class LabelTextTest {

    /** The characters with a meaning in labels, a letter of two bytes, and bytes that are not text. */
    private static final byte[] ALPHABET = {'a', 'x', '*', '\\', 'f', '4', (byte) 0xc3, (byte) 0xa9, (byte) 0xff, 0};

    private static final int MAX_LENGTH = 3;
    private static final int LONG_NAMES = 100_000;

    @Test
    void noTwoFamiliesHaveTheSameLabels() {
        List<Bytes> names = names(2);
        List<Optional<GroupName>> groups = List.of(
                Optional.empty(),
                Optional.of(GroupName.EMPTY),
                Optional.of(GroupName.of("*")),
                Optional.of(GroupName.of("\\*")));
        Map<Labels, FamilyName> named = new HashMap<>();
        for (Optional<GroupName> group : groups) {
            for (Bytes head : names) {
                for (Bytes tail : names) {
                    for (boolean isOpen : new boolean[] {false, true}) {
                        FamilyName family = new FamilyName(group, head, isOpen, tail);
                        FamilyName other = named.putIfAbsent(LabelText.of(family), family);
                        assertThat(other == null || other.equals(family))
                                .as("%s and %s", family, other)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void noTwoNamesHaveTheSameText() {
        List<Bytes> names = names(MAX_LENGTH);
        Set<String> texts = new HashSet<>();
        names.forEach(name -> texts.add(LabelText.text(name)));
        assertThat(texts).hasSameSizeAs(names);
    }

    @Test
    void noTwoLongNamesHaveTheSameText() {
        Random random = new Random(7);
        Map<String, Bytes> named = new HashMap<>();
        for (int i = 0; i < LONG_NAMES; i++) {
            byte[] bytes = new byte[random.nextInt(8)];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = ALPHABET[random.nextInt(ALPHABET.length)];
            }
            Bytes name = Bytes.wrap(bytes);
            Bytes other = named.putIfAbsent(LabelText.text(name), name);
            assertThat(other == null || other.equals(name))
                    .as("%s and %s", name, other)
                    .isTrue();
        }
    }

    @Test
    void anOpenFamilyIsNotTheQueueThatLooksLikeIt() {
        FamilyName open = new FamilyName(Optional.of(GroupName.of("g")), Bytes.of("fetch"), true, Bytes.EMPTY);
        FamilyName closed = new FamilyName(Optional.of(GroupName.of("g")), Bytes.of("fetch*"), false, Bytes.EMPTY);
        assertThat((Object) LabelText.of(open)).isEqualTo(Labels.of("group", "g", "family", "fetch*"));
        assertThat((Object) LabelText.of(closed)).isEqualTo(Labels.of("group", "g", "family", "fetch\\*"));
    }

    @Test
    void textIsShownAsItIsAndOtherBytesByTheirNumbers() {
        assertThat((Object) LabelText.of(QueueKey.of("crawl", "fetch/example.org é")))
                .isEqualTo(Labels.of("group", "crawl", "queue", "fetch/example.org é"));
        assertThat(LabelText.text(QueueName.wrap(new byte[] {'a', (byte) 0xff, (byte) 0xc3, 'b'})))
                .isEqualTo("a\\xff\\xc3b");
    }

    /** Returns all names of at most {@code maxLength} bytes. */
    private static List<Bytes> names(int maxLength) {
        List<byte[]> names = new ArrayList<>(List.of(new byte[0]));
        for (int from = 0; names.getLast().length < maxLength; ) {
            int to = names.size();
            for (byte[] name : List.copyOf(names.subList(from, to))) {
                for (byte letter : ALPHABET) {
                    byte[] longer = Arrays.copyOf(name, name.length + 1);
                    longer[name.length] = letter;
                    names.add(longer);
                }
            }
            from = to;
        }
        return names.stream().map(Bytes::wrap).toList();
    }
}
