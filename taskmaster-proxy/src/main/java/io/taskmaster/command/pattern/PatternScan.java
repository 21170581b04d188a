package io.taskmaster.command.pattern;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A scan of the text of a pattern before it is compiled, since some short patterns take forever to compile. It reads
 * the text once, with the sizes of the open groups on a stack; syntax errors are left to the compiler. Single-threaded:
 * lives for one pattern.
 *
 * <ul>
 *   <li>{@code ((a{1000}){1000}){1000}} is a program of a billion instructions. The scan estimates an upper bound on
 *       their number.
 *   <li>Each {@code \pL} is a table of a few thousand bytes, and a pattern may have hundreds. The scan counts them.
 *   <li>Where case is ignored, each character of a range in a class is looked up one by one. The scan counts those
 *       characters. Nine characters put RE2/J 1.8 into an endless loop, since its tables are older than those of Java;
 *       these are refused.
 * </ul>
 */
final class PatternScan {

    /**
     * The first of nine Cyrillic letters that became a second small form of others in Unicode 9. RE2/J goes from one to
     * the next and never comes back.
     */
    private static final int ENDLESS_FIRST = 0x1C80;

    private static final int ENDLESS_LAST = 0x1C88;

    /**
     * The first character with case. Below it and above the last one there is no case to ignore; a range with both is
     * taken as a whole.
     */
    private static final int CASE_FIRST = 'A';

    private static final int CASE_LAST = 0x1E943;

    /** The value of an escape that stands for no single character. */
    private static final int NO_CHARACTER = -1;

    private final String pattern;
    private int at;

    /** The size of the innermost open group so far, without the last atom. */
    private long sum;

    /** The size of the last atom, which a repetition multiplies. */
    private long atom;

    private int tables;
    private long folded;
    private boolean ignoresCase;
    private boolean hasEndless;
    private boolean hasBranches;

    private PatternScan(String pattern) {
        this.pattern = pattern;
    }

    /** Scans a pattern. */
    static PatternScan of(String pattern) {
        PatternScan scan = new PatternScan(pattern);
        scan.run();
        return scan;
    }

    /** The number of instructions it compiles to, at most. */
    long instructions() {
        return sum + atom;
    }

    /** The number of its Unicode classes. */
    int tables() {
        return tables;
    }

    /** Returns whether it is an alternation as a whole. */
    boolean hasBranches() {
        return hasBranches;
    }

    /** Returns the reason for which it may not be compiled; null: it may. */
    @Nullable
    String objection() {
        if (instructions() > NamePattern.MAX_INSTRUCTIONS) {
            return "fewer nested repetitions: at most " + NamePattern.MAX_INSTRUCTIONS + " instructions";
        }
        if (tables > NamePattern.MAX_TABLES) {
            return "at most " + NamePattern.MAX_TABLES + " classes like \\pL";
        }
        if (ignoresCase && hasEndless) {
            return "none of the letters U+1C80 to U+1C88 where case is ignored";
        }
        if (ignoresCase && folded > NamePattern.MAX_FOLDED) {
            return "ranges of at most " + NamePattern.MAX_FOLDED + " characters where case is ignored";
        }
        return null;
    }

    private void run() {
        ArrayDeque<Long> open = new ArrayDeque<>();
        while (at < pattern.length() && sum + atom <= Integer.MAX_VALUE) {
            int character = read();
            switch (character) {
                case '(' -> {
                    if (!readFlags()) {
                        open.push(sum + atom);
                        // A group has two instructions of its own, at its beginning and at its end.
                        sum = 2;
                        atom = 0;
                    }
                }
                case ')' -> {
                    long group = sum + atom;
                    sum = open.isEmpty() ? 0 : open.pop();
                    atom = group;
                }
                case '[' -> {
                    readClass();
                    next();
                }
                case '\\' -> readEscapeOutside();
                case '{' -> repeat();
                case '*', '+', '?' -> atom++;
                case '|' -> {
                    atom++;
                    hasBranches |= open.isEmpty();
                }
                default -> {
                    fold(character, character);
                    next();
                }
            }
        }
        while (!open.isEmpty()) {
            sum += open.pop();
        }
    }

    private int read() {
        int character = pattern.codePointAt(at);
        at += Character.charCount(character);
        return character;
    }

    private boolean isNext(String text) {
        return pattern.startsWith(text, at);
    }

    private void next() {
        sum += atom;
        atom = 1;
    }

    /**
     * Reads flags behind an opening parenthesis. Flags that are switched off count as if they were switched on.
     *
     * @return whether it is no group but only flags: a repetition behind them applies to what stands before
     */
    private boolean readFlags() {
        if (!isNext("?") || isNext("?P") || isNext("?<")) {
            return false;
        }
        int end = at + 1;
        while (end < pattern.length() && pattern.charAt(end) != ':' && pattern.charAt(end) != ')') {
            ignoresCase |= pattern.charAt(end) == 'i';
            end++;
        }
        boolean isAlone = end < pattern.length() && pattern.charAt(end) == ')';
        at = isAlone ? end + 1 : at;
        return isAlone;
    }

    /** Reads a repetition. A brace that opens none is a literal. */
    private void repeat() {
        int end = at;
        long number = 0;
        long maxRepeat = 1;
        boolean hasDigits = false;
        boolean hasComma = false;
        for (; end < pattern.length() && pattern.charAt(end) != '}'; end++) {
            int digit = Character.digit(pattern.charAt(end), 10);
            if (digit < 0 && (pattern.charAt(end) != ',' || hasComma || !hasDigits)) {
                next();
                return;
            }
            hasComma |= digit < 0;
            hasDigits |= digit >= 0;
            number = digit < 0 ? 0 : Math.min(number * 10 + digit, Integer.MAX_VALUE);
            maxRepeat = Math.max(maxRepeat, number);
        }
        if (end == pattern.length() || !hasDigits) {
            next();
            return;
        }
        at = end + 1;
        atom = Math.clamp((atom + 1) * (maxRepeat + (hasComma ? 1 : 0)), 1, Integer.MAX_VALUE);
    }

    private void readEscapeOutside() {
        if (isNext("Q")) {
            at++;
            while (at < pattern.length() && !isNext("\\E")) {
                int literal = read();
                fold(literal, literal);
                next();
            }
            at = Math.min(at + 2, pattern.length());
            return;
        }
        int character = readEscape();
        if (character != NO_CHARACTER) {
            fold(character, character);
        }
        next();
    }

    /** Reads behind a backslash: the character that it and what follows stand for. */
    private int readEscape() {
        if (at == pattern.length()) {
            return NO_CHARACTER;
        }
        int first = read();
        if (first == 'p' || first == 'P') {
            tables++;
            if (isNext("{")) {
                int end = pattern.indexOf('}', at);
                at = end < 0 ? pattern.length() : end + 1;
            } else if (at < pattern.length()) {
                read();
            }
            return NO_CHARACTER;
        }
        if (first == 'x') {
            return readHex();
        }
        if (first >= '0' && first <= '7') {
            int value = first - '0';
            for (int i = 0; i < 2 && at < pattern.length() && Character.digit(pattern.charAt(at), 8) >= 0; i++) {
                value = value * 8 + Character.digit(pattern.charAt(at++), 8);
            }
            return value;
        }
        return first > '~' || !Character.isLetterOrDigit(first) ? first : NO_CHARACTER;
    }

    private int readHex() {
        boolean isLong = isNext("{");
        at += isLong ? 1 : 0;
        int digits = isLong ? Integer.MAX_VALUE : 2;
        int value = 0;
        for (; digits > 0 && at < pattern.length() && Character.digit(pattern.charAt(at), 16) >= 0; digits--) {
            value = Math.min(value * 16 + Character.digit(pattern.charAt(at++), 16), Character.MAX_CODE_POINT);
        }
        at += isLong && isNext("}") ? 1 : 0;
        return value;
    }

    /** Reads behind the bracket that opens a class. A closing one that comes first stands for itself. */
    private void readClass() {
        at += isNext("^") ? 1 : 0;
        boolean isFirst = true;
        while (at < pattern.length() && (isFirst || !isNext("]"))) {
            isFirst = false;
            if (isNext("[:")) {
                int end = pattern.indexOf(":]", at);
                if (end >= 0) {
                    at = end + 2;
                    continue;
                }
            }
            int from = readInClass();
            int to = from;
            if (isNext("-") && at + 1 < pattern.length() && pattern.charAt(at + 1) != ']') {
                at++;
                to = readInClass();
            }
            if (from != NO_CHARACTER && to != NO_CHARACTER) {
                fold(from, to);
            }
        }
        at = Math.min(at + 1, pattern.length());
    }

    private int readInClass() {
        int character = read();
        return character == '\\' ? readEscape() : character;
    }

    /** Counts a range of characters that are looked up where case is ignored. */
    private void fold(int from, int to) {
        if (from <= CASE_FIRST && to >= CASE_LAST) {
            return;
        }
        hasEndless |= from <= ENDLESS_LAST && to >= ENDLESS_FIRST;
        folded += Math.max(0, Math.min(to, CASE_LAST) - Math.max(from, CASE_FIRST) + 1);
    }
}
