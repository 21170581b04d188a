package io.taskmaster.bench.report;

import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.report.Peers.Discipline;
import java.util.Optional;

/**
 * A line of the result. Immutable.
 *
 * @param name the name, unique among the rows of a run
 * @param unit the meaning of one operation
 * @param limit the name of the row of the same run that bounds this one
 * @param peer the discipline in which other systems did the same work
 * @param isRate false for an event that happens once or a few times, so that operations per second say nothing
 * @param note further observations
 */
public record Row(
        String name,
        String unit,
        Measurement measurement,
        Optional<String> limit,
        Optional<Discipline> peer,
        boolean isRate,
        String note) {

    /** Returns a row of a sustained load. */
    public static Row rate(String name, String unit, Measurement measurement) {
        return new Row(name, unit, measurement, Optional.empty(), Optional.empty(), true, "");
    }

    /** Returns a row of an event that happens once or a few times. */
    public static Row event(String name, String unit, Measurement measurement, String note) {
        return new Row(name, unit, measurement, Optional.empty(), Optional.empty(), false, note);
    }

    /** Returns this row, compared with a row of the same run. */
    public Row boundBy(String limitRow) {
        return new Row(name, unit, measurement, Optional.of(limitRow), peer, isRate, note);
    }

    /** Returns this row, compared with other systems. */
    public Row against(Optional<Discipline> discipline) {
        return new Row(name, unit, measurement, limit, discipline, isRate, note);
    }

    /** Returns this row with a note. */
    public Row noting(String text) {
        return new Row(name, unit, measurement, limit, peer, isRate, text);
    }
}
