package io.taskmaster.server.process;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** All tokens of a run. Thread-safe. */
public final class TokenLedger {

    private final Map<String, Token> live = new ConcurrentHashMap<>();
    private final Set<String> completed = ConcurrentHashMap.newKeySet();
    private final AtomicLong made = new AtomicLong();
    private final Map<GroupName, AtomicInteger> perhapsLeased = new ConcurrentHashMap<>();

    Token make(GroupName group) {
        Token token = new Token("t" + made.incrementAndGet(), group);
        live.put(token.label, token);
        return token;
    }

    /** Returns the token of a task that the server returned. */
    Token of(Bytes data) {
        String label = Token.labelOf(data);
        Token token = live.get(label);
        if (token == null) {
            throw new AssertionError(label + (completed.contains(label) ? ": dequeued, and back" : ": never enqueued"));
        }
        return token;
    }

    /** Returns the number of tokens that are not known to be gone. */
    public int count() {
        return live().size();
    }

    Collection<Token> live() {
        return live.values();
    }

    List<Token> snapshot() {
        return new ArrayList<>(live.values());
    }

    void completed(Token token) {
        live.remove(token.label);
        completed.add(token.label);
    }

    /**
     * Notes a lease call with an unknown outcome: up to {@code tasks} tasks of the group may be leased without a
     * holder.
     */
    void perhapsLeased(GroupName group, int tasks) {
        perhapsLeased.computeIfAbsent(group, _ -> new AtomicInteger()).addAndGet(tasks);
    }

    int perhapsLeased(GroupName group) {
        AtomicInteger count = perhapsLeased.get(group);
        return count == null ? 0 : count.get();
    }

    void allLeasesKnown() {
        perhapsLeased.clear();
    }
}
