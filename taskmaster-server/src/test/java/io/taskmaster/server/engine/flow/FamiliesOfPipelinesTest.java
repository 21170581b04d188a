package io.taskmaster.server.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of families over pipelines with the naming schemes that operators use: their stages are the families, whatever
 * the order in which queues come.
 */
final class FamiliesOfPipelinesTest {

    private static final Optional<GroupName> GROUP = Optional.of(GroupName.EMPTY);
    private static final List<String> STAGES = List.of("fetch", "parse", "index");
    private static final List<String> DOMAINS = List.of("com", "org", "net");

    /** A scheme by which a stage and its host or shard make a name. */
    enum Scheme {
        HOST_HASH_STAGE,
        STAGE_SLASH_HOST,
        HOST_DOT_STAGE,
        CUSTOMER,
        DEEP,
        VERSIONED,
        PIPE,
        AT,
        NUMBERED;

        QueueName name(String stage, String host) {
            return QueueName.of(
                    switch (this) {
                        case HOST_HASH_STAGE -> host + "#" + stage + "_stage"; // as in the paper
                        case STAGE_SLASH_HOST -> stage + "/" + host;
                        case HOST_DOT_STAGE -> host + "." + stage;
                        case CUSTOMER -> "customer-" + numberOf(host) + "-" + stage;
                        case DEEP -> "crawl/" + stage + "/" + host;
                        case VERSIONED -> "v1.2:" + stage + ":" + host;
                        case PIPE -> stage + "|" + host;
                        case AT -> stage + "@" + host;
                        case NUMBERED -> stage + numberOf(host);
                    });
        }

        private static String numberOf(String host) {
            return host.replaceAll("\\D", "");
        }
    }

    private static String host(int i) {
        return "host" + i + "." + DOMAINS.get(i % DOMAINS.size());
    }

    @ParameterizedTest
    @EnumSource(Scheme.class)
    void stagesAreFamilies(Scheme scheme) {
        for (int hosts : new int[] {12, 53, 160, 500}) {
            List<QueueName> names = names(scheme, STAGES, hosts);
            Naming naming = learnAll(names);
            for (String stage : STAGES) {
                Set<String> families = IntStream.range(0, hosts)
                        .mapToObj(i ->
                                naming.familyOf(scheme.name(stage, host(i))).toString())
                        .collect(Collectors.toSet());
                assertThat(families)
                        .as("%s of %d hosts", stage, hosts)
                        .hasSize(1)
                        .allMatch(name -> name.contains(stage));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void familiesDependOnTheSetOfNamesOnly(long seed) {
        Random random = new Random(seed);
        for (int world = 0; world < 100; world++) {
            Scheme scheme = Scheme.values()[random.nextInt(Scheme.values().length)];
            List<String> stages = IntStream.range(0, 1 + random.nextInt(9))
                    .mapToObj(i -> "stage" + (char) ('a' + i))
                    .toList();
            List<QueueName> names = new ArrayList<>(names(scheme, stages, 1 + random.nextInt(100)));
            IntStream.range(0, random.nextInt(20)).forEach(i -> names.add(QueueName.of(anything(random))));
            Map<QueueName, String> first = families(names);
            for (int order = 0; order < 3; order++) {
                Collections.shuffle(names, random);
                assertThat(families(names)).isEqualTo(first);
            }
        }
    }

    @Test
    void ofTwoWaysTheOneWithHandOffsBetweenFamiliesIsTaken() {
        // Fewer regions than stages: by names alone, regions are the families.
        List<String> stages =
                IntStream.range(0, 24).mapToObj(i -> "step" + i + "/").toList();
        List<QueueName> names = stages.stream()
                .flatMap(stage -> DOMAINS.stream().map(region -> QueueName.of(stage + region)))
                .toList();
        Naming naming = learnAll(names);
        assertThat(naming.familyOf(names.getFirst())).hasToString("*/com");
        assertThat(naming.reconsider()).as("nothing was handed on").isFalse();
        for (int i = 0; i < HandOffSample.SIZE; i++) {
            int at = i % 60;
            naming.recordHandOff(names.get(at), names.get(at + DOMAINS.size()));
        }
        assertThat(naming.reconsider()).isTrue();
        assertThat(naming.familyOf(names.getFirst())).hasToString("step0/*");
        assertThat(naming.reconsider()).as("that is settled").isFalse();
    }

    @Test
    void handOffsOverruleNamesAFewTimesOnly() {
        Naming naming = learnAll(names(Scheme.STAGE_SLASH_HOST, STAGES, 60));
        int changes = 0;
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < HandOffSample.SIZE; i++) {
                naming.recordHandOff(
                        QueueName.of("fetch/host1.com"),
                        QueueName.of(round % 2 == 0 ? "fetch/host2.com" : "parse/host1.com"));
            }
            changes += naming.reconsider() ? 1 : 0;
        }
        assertThat(changes).isBetween(1, Naming.MAX_OVERRIDES);
    }

    @Test
    void noFamilyIsLeftBehindOnceFamiliesAreToldApartInAnotherWay() {
        Families families = new Families(Optional.empty());
        List<Family> joined = new ArrayList<>();
        List<QueueKey> keys = new ArrayList<>();
        for (QueueName name : names(Scheme.STAGE_SLASH_HOST, STAGES, 50)) {
            QueueKey key = new QueueKey(GroupName.EMPTY, name);
            if (families.add(key)) {
                joined.forEach(Family::removeQueue);
                joined.clear();
                keys.forEach(known -> joined.add(families.join(known)));
                families.reassigned();
            }
            keys.add(key);
            joined.add(families.join(key));
        }
        assertThat(families.snapshot().nodes())
                .extracting(node -> node.name().toString())
                .containsExactlyInAnyOrder("fetch/*", "parse/*", "index/*");
    }

    @Test
    void whatPeopleNameAreFamilies() {
        Families families = new Families(Optional.of(new FamilyPattern(Pattern.compile("[^-]*-(\\w+)-.*"))));
        for (String name : List.of("a-fetch-1", "b-fetch-2", "c-parse-3", "seen")) {
            QueueKey key = QueueKey.of(name);
            families.add(key);
            families.join(key);
        }
        assertThat(families.snapshot().nodes())
                .extracting(node -> node.name() + " " + node.queues())
                .containsExactly("fetch 2", "parse 1", "seen 1");
    }

    private static List<QueueName> names(Scheme scheme, List<String> stages, int hosts) {
        return IntStream.range(0, hosts)
                .boxed()
                .flatMap(i -> stages.stream().map(stage -> scheme.name(stage, host(i))))
                .toList();
    }

    private static String anything(Random random) {
        return random.ints(random.nextInt(9), 0, 8)
                .mapToObj(i -> "ab1/#.-_".substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private static Map<QueueName, String> families(List<QueueName> names) {
        Naming naming = learnAll(names);
        return names.stream()
                .distinct()
                .collect(Collectors.toMap(
                        name -> name, name -> naming.familyOf(name).toString()));
    }

    private static Naming learnAll(List<QueueName> names) {
        Naming naming = new Naming(GROUP);
        names.forEach(naming::add);
        return naming;
    }
}
