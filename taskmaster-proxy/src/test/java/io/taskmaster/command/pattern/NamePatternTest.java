package io.taskmaster.command.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of patterns: matching against RE2/J, the refusal of expensive patterns, and the price of a match. */
class NamePatternTest {

    private static final int GENERATED = 20_000;

    /** Some of these would compile forever without the refusal, and some for seconds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?i)\u1c80",
                "(?i:\\x{1c88})",
                "(?s-m)(?si)a\\x{1C84}",
                "(?i)\\Qa\u1c82\\E",
                "(?i)[\u1c83]",
                "(?i)[^\u1c83]",
                "(?i)[a-\u1c80]",
                "(?i)[B-\\x{1e900}]",
                "(?i)[\\x{2000}-\\x{10000}]",
                "(?i)[\\377-\\x{4000}]"
            })
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPatternThatTakesForEverToCompileIsRefused(String regex) {
        assertThatThrownBy(() -> NamePattern.compile(regex))
                .isInstanceOfSatisfying(
                        BadPatternException.class,
                        bad -> assertThat(bad.expected()).contains("where case is ignored"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?i)größe",
                "(?i)[a-z0-9]+",
                "[B-\\x{1e900}]",
                "(?i)[\\x{0}-\\x{10FFFF}]",
                "(?i)[A-\\x{1e943}]",
                "(?P<id>\u1c80)",
                "(?i)\\pL",
                "(?i)[^\\x{400}-\\x{4ff}]"
            })
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPatternThatOnlyLooksLikeOneIsTaken(String regex) {
        assertThat(NamePattern.compile(regex).instructions()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {".*", "(?s).*", "q.*", "q[.]dead|q|q/.*", "q.dead", "q.*dead"})
    void aPatternWithoutDeadLettersMatchesTheSameNamesButThoseOfDeadLetterQueues(String regex) {
        NamePattern all = NamePattern.compile(regex);
        NamePattern others = all.withoutDeadLetters();
        for (String name :
                List.of("q", "q.dead", "q/a", "q/a.dead", ".dead", "dead", "q.dead2", "qdead", "q.dead.dead")) {
            boolean isDeadLetters = name.endsWith(".dead") && name.length() > ".dead".length();
            assertThat(others.matches(QueueName.of(name)))
                    .as(name)
                    .isEqualTo(all.matches(QueueName.of(name)) && !isDeadLetters);
        }
        assertThat(others)
                .isNotEqualTo(all)
                .isEqualTo(NamePattern.compile(regex).withoutDeadLetters());
        assertThat(others).hasToString(regex + " (without dead letters)");
        assertThat(all).hasToString(regex);
    }

    @Test
    void aPatternOfManyTablesIsRefused() {
        assertThat(NamePattern.compile("\\pL".repeat(32)).memoryBytes()).isLessThan(500_000);
        assertThatThrownBy(() -> NamePattern.compile("\\pL".repeat(33))).hasMessage("at most 32 classes like \\pL");
        assertThatThrownBy(() -> NamePattern.compile("[^" + "\\p{Greek}".repeat(33) + "]"))
                .hasMessage("at most 32 classes like \\pL");
    }

    /** Some of these look smaller to the scan than they are. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(?:aaaaaaaaaa){300}",
                "(?:aaaaaaaaaa)(?i){300}",
                "(?:aaaaaaaaaa\\Q(\\E){300}",
                "(?:a{aaaaaaaaa}){300}",
                "(?:[)]aaaaaaaaa){300}",
                "(?:[[:alpha:])]aaaaaaaaa){300}",
                "(?:[\\])]aaaaaaaaa){300}"
            })
    void aPatternThatCompilesToTooManyInstructionsIsRefused(String regex) {
        assertThatThrownBy(() -> NamePattern.compile(regex)).hasMessageContaining("fewer nested repetitions");
    }

    @Test
    void textThatIsNoneIsRefused() {
        assertThatThrownBy(() -> NamePattern.compile("a\ud800")).isInstanceOf(BadPatternException.class);
        assertThatThrownBy(() -> NamePattern.compile("ü".repeat(513))).hasMessage("at most 1024 bytes");
    }

    /** No pattern is accepted whose compilation, or whose matching on a thread of ordinary size, runs out of stack. */
    @ParameterizedTest
    @ValueSource(strings = {"(", "(?:", "(a*", "(a|", "(a??", "(?:b?"})
    void deepPatternsNeedNoDeepStack(String open) throws InterruptedException {
        int deep = NamePattern.MAX_BYTES / (open.length() + 2);
        for (String close : List.of(")", ")*", ")?")) {
            String regex = open.repeat(deep) + "c" + close.repeat(deep);
            Thread thread = Thread.ofPlatform().stackSize(1 << 20).unstarted(() -> matchIfTaken(regex));
            Throwable[] thrown = new Throwable[1];
            thread.setUncaughtExceptionHandler((_, failure) -> thrown[0] = failure);
            thread.start();
            thread.join();
            assertThat(thrown[0]).as(regex).isNull();
        }
    }

    private static void matchIfTaken(String regex) {
        NamePattern pattern = compiled(regex);
        if (pattern != null) {
            pattern.matches(QueueName.of("a".repeat(100)));
        }
    }

    @Test
    void namesAreMatchedAsTheProgramWouldMatchThem() {
        Random random = new Random(5);
        int taken = 0;
        for (int i = 0; i < GENERATED; i++) {
            String regex = regex(random);
            NamePattern pattern = compiled(regex);
            if (pattern == null) {
                continue;
            }
            taken++;
            for (int j = 0; j < 5; j++) {
                String name = name(random);
                assertThat(pattern.matches(QueueName.of(name)))
                        .as("%s of %s", name, regex)
                        .isEqualTo(Pattern.matches(regex, name));
            }
            assertThat(PatternScan.of(regex).instructions() + 4)
                    .as("estimated for %s", regex)
                    .isGreaterThanOrEqualTo(pattern.instructions());
        }
        assertThat(taken).isGreaterThan(GENERATED / 4);
    }

    @Test
    void aNameThatIsNotTextMatchesNothing() {
        QueueName name = QueueName.copyOf(new byte[] {'a', (byte) 0xff, 'b'});
        for (String regex : List.of(".*", "a.*", ".*b", "a.*b", "(?s).*", "a.b")) {
            assertThat(NamePattern.compile(regex).matches(name)).as(regex).isFalse();
        }
    }

    @Test
    void aNameCostsTheWorkThatItMayBe() {
        NamePattern pattern = NamePattern.compile("crawl/(a|b)*");
        assertThat(pattern.steps(QueueName.of("crawl/abab")))
                .isEqualTo("crawl/".length() + pattern.instructions() * 5L);
        assertThat(pattern.steps(QueueName.of("x".repeat(160)))).isEqualTo(11);
        assertThat(pattern.steps(3, 30)).isEqualTo(33L * pattern.instructions());
        assertThat(NamePattern.compile("crawl/.*").steps(QueueName.of("crawl/" + "x".repeat(154))))
                .isEqualTo(11);
    }

    @Test
    void aSumOfNamesIsNoCheaperThanEach() {
        Random random = new Random(6);
        for (int i = 0; i < 2_000; i++) {
            NamePattern pattern = compiled(regex(random));
            if (pattern != null) {
                QueueName name = QueueName.of(name(random));
                assertThat(pattern.steps(name)).isLessThanOrEqualTo(pattern.steps(1, name.size()));
            }
        }
    }

    private static @Nullable NamePattern compiled(String regex) {
        try {
            return NamePattern.compile(regex);
        } catch (BadPatternException refused) {
            assertThat(refused.expected()).isNotEmpty();
            return null;
        } catch (PatternSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static String regex(Random random) {
        String[] parts = {
            "a",
            "b",
            "ab",
            ".",
            "\\.",
            "-",
            "/",
            ".*",
            ".*",
            "a*",
            "b+",
            "(",
            ")",
            "(?:",
            "|",
            "?",
            "{2}",
            "{1,3}",
            "{,3}",
            "{a}",
            "[ab]",
            "[^a]",
            "[]a]",
            "\\Q.*\\E",
            "\\Q(\\E",
            "\\d",
            "(?i)",
            "(?s)",
            "ü",
            "\\x61",
            "^",
            "$",
            "\\b",
            "*",
            "\\pL",
            "[[:alpha:]]"
        };
        StringBuilder regex = new StringBuilder();
        for (int i = 1 + random.nextInt(7); i > 0; i--) {
            regex.append(parts[random.nextInt(parts.length)]);
        }
        return regex.toString();
    }

    private static String name(Random random) {
        String[] parts = {"a", "b", "ab", ".", "-", "/", "A", "ü", "\n", "1", "*", "(", "{2}"};
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(7); i > 0; i--) {
            name.append(parts[random.nextInt(parts.length)]);
        }
        return name.toString();
    }
}
