package io.taskmaster.server.rpc;

import java.util.ArrayDeque;

/**
 * Estimates, from above, how many instructions a pattern compiles to, without compiling it: RE2 guarantees linear time in the size
 * of the program, but {@code ((a{1000}){1000}){1000}} is a program of a thousand million instructions. Reads the pattern once,
 * with the sizes of the open groups on a stack; a syntax error is for the compiler to find.
 */
final class PatternSize {

    private final String pattern;
    private int at;
    /** Size of what stands in the innermost open group so far, without the last atom. */
    private long sum;
    /** Size of the last atom, which a repetition multiplies. */
    private long atom;

    private PatternSize(String pattern) {
        this.pattern = pattern;
    }

    static long estimate(String pattern) {
        return new PatternSize(pattern).run();
    }

    private long run() {
        var open = new ArrayDeque<Long>();
        while (at < pattern.length()) {
            switch (pattern.charAt(at++)) {
                case '(' -> {
                    open.push(sum + atom);
                    sum = 2;
                    atom = 0;
                }
                case ')' -> {
                    long group = sum + atom;
                    sum = open.isEmpty() ? 0 : open.pop();
                    atom = group;
                }
                case '[' -> {
                    skipClass();
                    next();
                }
                case '\\' -> {
                    at++;
                    next();
                }
                case '{' -> atom = Math.clamp((atom + 1) * repeats(), 1, Integer.MAX_VALUE);
                case '*', '+', '?', '|' -> atom++;
                default -> next();
            }
            if (sum + atom > Integer.MAX_VALUE) {
                return Integer.MAX_VALUE;
            }
        }
        while (!open.isEmpty()) {
            sum += open.pop();
        }
        return sum + atom;
    }

    private void next() {
        sum += atom;
        atom = 1;
    }

    /** A closing bracket that comes first stands for itself. */
    private void skipClass() {
        int first = at < pattern.length() && pattern.charAt(at) == '^' ? at + 1 : at;
        at = first;
        while (at < pattern.length() && (pattern.charAt(at) != ']' || at == first)) {
            at += pattern.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    /** The largest number between the braces; what is no repetition counts as one. */
    private long repeats() {
        long largest = 1;
        long number = 0;
        for (; at < pattern.length() && pattern.charAt(at) != '}'; at++) {
            int digit = Character.digit(pattern.charAt(at), 10);
            number = digit < 0 ? 0 : Math.min(number * 10 + digit, Integer.MAX_VALUE);
            largest = Math.max(largest, number);
        }
        at++;
        return largest;
    }
}
