package io.taskmaster.testkit.oracle.search;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A sweep over the intervals of a queue in the order of time, which keeps those that have begun and are not over.
 * Single-threaded.
 */
public final class Sweep {

    private final List<Interval> intervals;
    private final TreeMap<ByteString, Interval> current = new TreeMap<>(QueueHistory.PID_ORDER);
    private final PriorityQueue<Interval> ending = new PriorityQueue<>(Comparator.comparingLong(Interval::until));
    private int next;

    /** @param intervals ascending by their beginning; those of one task are disjoint */
    public Sweep(List<Interval> intervals) {
        this.intervals = intervals;
    }

    /** Returns the intervals that began before an instant and are not over then, by PID. Instants must not descend. */
    public NavigableMap<ByteString, Interval> at(long micros) {
        for (; next < intervals.size() && intervals.get(next).from() < micros; next++) {
            Interval interval = intervals.get(next);
            current.put(interval.key().key().pid(), interval);
            ending.add(interval);
        }
        while (!ending.isEmpty() && ending.peek().until() <= micros) {
            Interval ended = ending.remove();
            // Removes by key and value: the next interval of the same task may already have taken its place.
            current.remove(ended.key().key().pid(), ended);
        }
        return current;
    }
}
