package io.taskmaster.command.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Utf8;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.model.QueueName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * A pattern in RE2 syntax that has to match the whole name of a queue, with an upper bound on the work of matching
 * ({@code docs/adr/0014-patterns-beside-the-loop.md}). A name that is not UTF-8 matches none. Immutable; equal to
 * others of the same text that leave out the same names.
 *
 * <p>RE2/J follows all threads of its program at once, so a name costs it at most as many steps as the program has
 * instructions, for each of its characters; a step takes 5 to 60 ns. Names that do not begin as all matches do, and
 * patterns that are a name with at most one {@code .*} in it, need no program.
 *
 * <p>A pattern may leave out dead-letter queues, which are those named {@code NAME.dead}.
 */
public final class NamePattern {

    /** The maximum length of a pattern, in bytes of UTF-8. */
    public static final int MAX_BYTES = 1 << 10;

    /** The maximum number of instructions that a pattern compiles to, as estimated from its text. */
    public static final int MAX_INSTRUCTIONS = 2_000;

    /** The maximum cost of a pattern on the names of the queues of a partition, in steps: a step takes 5 to 60 ns. */
    public static final long MAX_STEPS = 1 << 30;

    /** The maximum number of Unicode classes in a pattern: each is a table. */
    public static final int MAX_TABLES = 32;

    /** The maximum number of characters in ranges where case is ignored: the compiler looks at each. */
    public static final int MAX_FOLDED = 10_000;

    /** The number of bytes whose comparison takes no longer than a step. */
    private static final int BYTES_PER_STEP = 16;

    private static final int BYTES_PER_PATTERN = 1_000;
    private static final int BYTES_PER_INSTRUCTION = 100;
    private static final int BYTES_PER_TABLE = 8_000;
    private static final String ANYTHING = ".*";

    private final String regex;
    private final Pattern program;
    private final int tables;

    /** The bytes that all names that match begin with. */
    private final byte[] prefix;

    /** The kind of what follows the prefix. */
    private final Rest rest;

    /** The bytes that all names that match end with, for {@link Rest#ANYTHING}. */
    private final byte[] suffix;

    private final boolean leavesOutDeadLetters;

    private enum Rest {
        NOTHING,
        /** Any text without a line break. */
        ANYTHING,
        /** Text that the program matches. */
        PROGRAM
    }

    private NamePattern(String regex, Pattern program, int tables, byte[] prefix, Rest rest, byte[] suffix) {
        this.regex = regex;
        this.program = program;
        this.tables = tables;
        this.prefix = prefix;
        this.rest = rest;
        this.suffix = suffix;
        leavesOutDeadLetters = false;
    }

    /** Creates the pattern without dead-letter queues. */
    private NamePattern(NamePattern all) {
        regex = all.regex;
        program = all.program;
        tables = all.tables;
        prefix = all.prefix;
        rest = all.rest;
        suffix = all.suffix;
        leavesOutDeadLetters = true;
    }

    /** Returns the same pattern, except that it matches no name of a dead-letter queue. */
    public NamePattern withoutDeadLetters() {
        return new NamePattern(this);
    }

    /**
     * Compiles a pattern.
     *
     * @throws BadPatternException if it is none, or would be too large
     */
    public static NamePattern compile(String regex) {
        if (regex.length() > MAX_BYTES || lengthOf(regex) > MAX_BYTES) {
            throw new BadPatternException("at most " + MAX_BYTES + " bytes");
        }
        PatternScan scan = PatternScan.of(regex);
        String objection = scan.objection();
        if (objection != null) {
            throw new BadPatternException(objection);
        }
        Pattern program;
        try {
            program = Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new BadPatternException("RE2 syntax; " + e.getDescription());
        }
        StringBuilder literal = new StringBuilder();
        int end = readLiteral(regex, 0, literal);
        byte[] prefix = literal.toString().getBytes(UTF_8);
        if (end == regex.length()) {
            return new NamePattern(regex, program, scan.tables(), prefix, Rest.NOTHING, new byte[0]);
        }
        if (regex.startsWith(ANYTHING, end)) {
            StringBuilder tail = new StringBuilder();
            if (readLiteral(regex, end + ANYTHING.length(), tail) == regex.length()) {
                return new NamePattern(
                        regex,
                        program,
                        scan.tables(),
                        prefix,
                        Rest.ANYTHING,
                        tail.toString().getBytes(UTF_8));
            }
        }
        // Of an alternation at the top level, the prefix is that of the first branch only.
        return new NamePattern(
                regex, program, scan.tables(), scan.hasBranches() ? new byte[0] : prefix, Rest.PROGRAM, new byte[0]);
    }

    private static long lengthOf(String regex) {
        try {
            return Utf8.encodedLength(regex);
        } catch (IllegalArgumentException unpaired) {
            throw new BadPatternException("text; " + unpaired.getMessage());
        }
    }

    /**
     * Reads characters that stand for themselves, up to one that does not or that is repeated.
     *
     * @return the position of that one
     */
    private static int readLiteral(String regex, int from, StringBuilder literal) {
        int at = from;
        while (at < regex.length()) {
            boolean isEscaped = regex.charAt(at) == '\\';
            int literalAt = isEscaped ? at + 1 : at;
            if (literalAt == regex.length()) {
                return at;
            }
            int character = regex.codePointAt(literalAt);
            int next = literalAt + Character.charCount(character);
            boolean isMeta = "\\.+*?()|[]{}^$".indexOf(character) >= 0;
            boolean isPunctuation = character < 0x7F && character > ' ' && !Character.isLetterOrDigit(character);
            // A repetition behind flags applies to what stands before them.
            boolean isRepeated =
                    next < regex.length() && ("*+?{".indexOf(regex.charAt(next)) >= 0 || regex.startsWith("(?", next));
            if (isRepeated || (isEscaped ? !isPunctuation : isMeta)) {
                return at;
            }
            literal.appendCodePoint(character);
            at = next;
        }
        return at;
    }

    /** Returns the most work that it is to match a name, in steps. */
    public long steps(QueueName name) {
        if (rest != Rest.PROGRAM || !hasPrefix(name.unsafeArray())) {
            return 1L + name.size() / BYTES_PER_STEP;
        }
        return prefix.length + program.programSize() * (name.size() - prefix.length + 1L);
    }

    /** Returns the most work for several names, in steps. */
    public long steps(long names, long bytes) {
        return rest == Rest.PROGRAM ? program.programSize() * (bytes + names) : names + bytes / BYTES_PER_STEP;
    }

    /** Returns whether the whole name matches. */
    public boolean matches(QueueName name) {
        byte[] bytes = name.unsafeArray();
        if (!hasPrefix(bytes) || (leavesOutDeadLetters && name.isForDeadLetters())) {
            return false;
        }
        return switch (rest) {
            case NOTHING -> bytes.length == prefix.length;
            case ANYTHING -> matchesWithGap(bytes);
            case PROGRAM -> matchesProgram(bytes);
        };
    }

    private boolean hasPrefix(byte[] bytes) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private boolean matchesWithGap(byte[] bytes) {
        int gapEnd = bytes.length - suffix.length;
        if (gapEnd < prefix.length
                || !Arrays.equals(bytes, gapEnd, bytes.length, suffix, 0, suffix.length)
                || !Utf8.isWellFormed(bytes, prefix.length, gapEnd - prefix.length)) {
            return false;
        }
        for (int i = prefix.length; i < gapEnd; i++) {
            if (bytes[i] == '\n') {
                return false;
            }
        }
        return true;
    }

    private boolean matchesProgram(byte[] bytes) {
        try {
            return program.matches(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException notText) {
            return false;
        }
    }

    /** The number of instructions that it compiled to. */
    public int instructions() {
        return program.programSize();
    }

    /** The memory that it takes, in bytes; an estimate. */
    public int memoryBytes() {
        return BYTES_PER_PATTERN + BYTES_PER_INSTRUCTION * program.programSize() + BYTES_PER_TABLE * tables;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamePattern pattern
                && regex.equals(pattern.regex)
                && leavesOutDeadLetters == pattern.leavesOutDeadLetters;
    }

    @Override
    public int hashCode() {
        return regex.hashCode();
    }

    /** Returns the text, and that dead letters are left out if they are. */
    @Override
    public String toString() {
        return leavesOutDeadLetters ? regex + " (without dead letters)" : regex;
    }
}
