package io.taskmaster.bench.report;

import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.report.Peers.Discipline;
import java.util.Optional;

/**
 * One line of the outcome. Immutable.
 *
 * @param name unique among the rows of a run
 * @param unit what one operation is
 * @param limit the row of the same run that bounds this one
 * @param peer what other systems call the same work
 * @param isRate false for what happens once or a few times, so that operations per second say nothing
 * @param note what else was seen
 */
public record Row(
        String name,
        String unit,
        Measurement measurement,
        Optional<String> limit,
        Optional<Discipline> peer,
        boolean isRate,
        String note) {

    /** A row of a sustained load. */
    public static Row rate(String name, String unit, Measurement measurement) {
        return new Row(name, unit, measurement, Optional.empty(), Optional.empty(), true, "");
    }

    /** A row of something that happens once or a few times. */
    public static Row event(String name, String unit, Measurement measurement, String note) {
        return new Row(name, unit, measurement, Optional.empty(), Optional.empty(), false, note);
    }

    /** The same, held against a row of this run. */
    public Row boundBy(String limitRow) {
        return new Row(name, unit, measurement, Optional.of(limitRow), peer, isRate, note);
    }

    /** The same, held against other systems. */
    public Row against(Optional<Discipline> discipline) {
        return new Row(name, unit, measurement, limit, discipline, isRate, note);
    }

    /** The same with a note. */
    public Row noting(String text) {
        return new Row(name, unit, measurement, limit, peer, isRate, text);
    }
}
