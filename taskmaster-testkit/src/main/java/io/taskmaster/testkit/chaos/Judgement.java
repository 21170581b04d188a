package io.taskmaster.testkit.chaos;

import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.OracleSettings;
import io.taskmaster.testkit.oracle.Verdict;
import java.time.Duration;
final class Judgement {
    private Judgement() {}
    static java.util.List<String> of(History history) {
        long t = System.nanoTime();
        Verdict v = Oracle.judge(history, OracleSettings.DEFAULT.drained());
        System.err.println(v + " in " + Duration.ofNanos(System.nanoTime() - t));
        return v.findings().stream().map(Object::toString).toList();
    }
}
