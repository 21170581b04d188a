package io.taskmaster.server.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.flow.NameParts.Separators;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the rule by which queues belong to families. */
final class NamingTest {

    private static final int MANY = 200;

    private final Naming naming = new Naming(Optional.of(GroupName.EMPTY));

    @ParameterizedTest
    @CsvSource({
        "fetch/com/google/common, fetch/, /common, ''",
        "fetch/com.dead, fetch/, /com, .dead",
        "www.example.com.fetch, www., .fetch, ''",
        "shard12, shard, 12, ''",
        "shard12.dead, shard, 12, .dead",
        "a-b_c, a-, _c, ''",
        "seen, seen, seen, ''",
        "seen.dead, seen, seen, .dead",
        "17, 17, 17, ''",
        ".dead, .dead, .dead, ''",
        "/, /, /, ''",
        "/a, /a, /a, ''",
        "a/, a/, a/, ''",
        "ä/ö, ä/, /ö, ''"
    })
    void namesAreCutAtSeparators(String name, String first, String last, String ending) {
        NameParts parts = NameParts.of(QueueName.of(name), Separators.STRONG);
        assertThat(parts.head(1)).hasToString(first);
        assertThat(parts.tail(1)).hasToString(last);
        assertThat(parts.ending()).hasToString(ending);
        assertThat(parts.isSinglePart()).isEqualTo(first.equals(last));
    }

    @Test
    void fewQueuesAreAFamilyEach() {
        for (int i = 0; i < Naming.MAX_NAMES; i++) {
            assertThat(learn("fetch/" + i)).isFalse();
        }
        assertThat(familyOf("fetch/3")).isEqualTo("fetch/3");
        assertThat(learn("fetch/again")).isTrue();
        assertThat(familyOf("fetch/3")).isEqualTo("fetch/*");
    }

    @Test
    void stagesThatComeFirstInTheName() {
        learnAll(i -> (i % 2 == 0 ? "fetch/" : "index/") + "com/site" + i);
        learn("seen");
        assertThat(familyOf("fetch/com/site0")).isEqualTo("fetch/*");
        assertThat(familyOf("index/com/site1")).isEqualTo("index/*");
        assertThat(familyOf("seen")).isEqualTo("seen");
    }

    @Test
    void stagesThatComeLastInTheName() {
        learnAll(i -> "site" + i + ".com" + (i % 2 == 0 ? ".fetch" : ".index"));
        learn("seen");
        assertThat(familyOf("site0.com.fetch")).isEqualTo("*.fetch");
        assertThat(familyOf("site1.com.index")).isEqualTo("*.index");
        assertThat(familyOf("seen")).isEqualTo("seen");
    }

    @Test
    void deadLettersStayApart() {
        learnAll(i -> "site" + i + ".com.fetch" + (i % 2 == 0 ? ".dead" : ""));
        assertThat(familyOf("site1.com.fetch")).isEqualTo("*.fetch");
        assertThat(familyOf("site2.com.fetch.dead")).isEqualTo("*.fetch.dead");
    }

    @Test
    void aPartThatGetsTooManyValuesDecidesNoLonger() {
        learnAll(i -> "fetch/" + i);
        assertThat(familyOf("fetch/1")).isEqualTo("fetch/*");
        learnAll(i -> i + "/fetch");
        assertThat(familyOf("fetch/1")).as("too many values of either part").isEqualTo("*");
        assertThat(familyOf("fetch/1.dead")).isEqualTo("*.dead");
    }

    @Test
    void namesOfAnyKindMakeFewFamilies() {
        Random random = new Random(7);
        List<QueueName> names = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) (random.nextInt(3) == 0 ? '/' : random.nextInt(256));
            }
            QueueName name = QueueName.wrap(bytes);
            names.add(name);
            naming.add(name);
            assertThat(naming.familyOf(name).toString()).isNotNull();
        }
        assertThat(names.stream().map(naming::familyOf).distinct().count()).isLessThan(2L * Naming.MAX_PARTS);
    }

    private boolean learn(String name) {
        return naming.add(QueueName.of(name));
    }

    private void learnAll(IntFunction<String> names) {
        IntStream.range(0, MANY).mapToObj(names).forEach(this::learn);
    }

    private String familyOf(String name) {
        return naming.familyOf(QueueName.of(name)).toString();
    }
}
