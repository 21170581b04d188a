package io.taskmaster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

final class ByteSequenceTest {

    /** The copying factory of each type. */
    static final List<Function<byte[], ByteSequence>> COPIERS =
            List.of(Bytes::copyOf, Pid::copyOf, QueueName::copyOf, GroupName::copyOf);

    static final List<Function<byte[], ByteSequence>> WRAPPERS =
            List.of(Bytes::wrap, Pid::wrap, QueueName::wrap, GroupName::wrap);

    static final List<Function<String, ByteSequence>> TEXTS = List.of(Bytes::of, Pid::of, QueueName::of, GroupName::of);

    @Test
    void orderIsUnsigned() {
        assertThat(pid(0x7f)).isLessThan(pid(0x80));
        assertThat(pid(0xff)).isGreaterThan(pid(0x00));
        assertThat(Bytes.wrap(new byte[] {-128})).isGreaterThan(Bytes.wrap(new byte[] {127}));
        assertThat(QueueName.wrap(new byte[] {-128})).isGreaterThan(QueueName.of("~"));
        assertThat(GroupName.wrap(new byte[] {-128})).isGreaterThan(GroupName.of("~"));
    }

    @Test
    void prefixComesBeforeWhatItIsAPrefixOf() {
        assertThat(Pid.EMPTY).isLessThan(pid(0));
        assertThat(pid(1)).isLessThan(pid(1, 0));
        assertThat(pid(1, 0xff)).isLessThan(pid(2));
    }

    @Test
    void orderIsThatOfTheUnsignedNumbers() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            int[] a = random.ints(random.nextInt(4), 0, 256).toArray();
            int[] b = random.ints(random.nextInt(4), 0, 256).toArray();
            assertThat(Integer.signum(pid(a).compareTo(pid(b)))).isEqualTo(Integer.signum(Arrays.compare(a, b)));
            assertThat(pid(a).equals(pid(b))).isEqualTo(Arrays.equals(a, b));
        }
    }

    @Test
    void sequencesOfDifferentTypesAreNeverEqual() {
        List<ByteSequence> same = TEXTS.stream().map(type -> type.apply("x")).toList();
        assertThat(same).doesNotHaveDuplicates();
        List<ByteSequence> empty = TEXTS.stream().map(type -> type.apply("")).toList();
        assertThat(empty).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("COPIERS")
    void copyDoesNotSeeLaterChanges(Function<byte[], ByteSequence> copier) {
        byte[] mine = {1, 2, 3};
        ByteSequence sequence = copier.apply(mine);
        mine[0] = 9;
        sequence.toByteArray()[1] = 9;
        assertThat(sequence.unsafeArray()).containsExactly(1, 2, 3);
        assertThat(sequence).isEqualTo(copier.apply(new byte[] {1, 2, 3}));
        assertThat(sequence).hasSameHashCodeAs(copier.apply(new byte[] {1, 2, 3}));
    }

    @ParameterizedTest
    @FieldSource("WRAPPERS")
    void wrappedArrayIsNotCopied(Function<byte[], ByteSequence> wrapper) {
        byte[] mine = {1};
        assertThat(wrapper.apply(mine).unsafeArray()).isSameAs(mine);
        assertThat(wrapper.apply(new byte[0])).isSameAs(wrapper.apply(new byte[0]));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void textShowsAsText(Function<String, ByteSequence> type) {
        assertThat(type.apply("grüße/1")).hasToString("grüße/1");
        assertThat(type.apply("")).hasToString("");
    }

    @ParameterizedTest
    @FieldSource("WRAPPERS")
    void whatIsNotTextShowsAsBase64(Function<byte[], ByteSequence> type) {
        assertThat(type.apply(new byte[] {-1, 0})).hasToString("base64:/wA=");
    }

    @Test
    void bytesReadFrom0To255() {
        Pid pid = pid(0, 128, 255);
        assertThat(IntStream.range(0, pid.size()).map(pid::at)).containsExactly(0, 128, 255);
        assertThat(pid.isEmpty()).isFalse();
        assertThat(Pid.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void queuesAreOrderedByGroupThenName() {
        List<QueueKey> ordered =
                List.of(QueueKey.of("z"), QueueKey.of("a", "b"), QueueKey.of("a", "c"), QueueKey.of("ab", "a"));
        assertThat(ordered.reversed().stream().sorted()).isEqualTo(ordered);
        assertThat(ordered).isSortedAccordingTo(Comparator.naturalOrder());
        assertThat(ordered).extracting(QueueKey::toString).containsExactly("z", "a/b", "a/c", "ab/a");
    }

    @ParameterizedTest
    @CsvSource({"q.dead, true", "q/a.dead.dead, true", ".dead, false", "q.dead2, false", "qdead, false", "'', false"})
    void aDeadLetterQueueIsKnownByItsName(String name, boolean isForDeadLetters) {
        assertThat(QueueName.of(name).isForDeadLetters()).isEqualTo(isForDeadLetters);
    }

    private static Pid pid(int... bytes) {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) bytes[i];
        }
        return Pid.wrap(raw);
    }
}
