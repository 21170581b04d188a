package io.taskmaster.bench.seda;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A line over time, as a Mermaid chart for a Markdown document. Pure. */
final class Plot {

    /** The number of points of a line; more could not be distinguished. */
    private static final int POINTS = 60;

    private Plot() {}

    /**
     * Returns a line over time.
     *
     * @param samples values at even intervals; where several share a point, the chart shows their mean
     */
    static <T> String of(String title, String axis, double seconds, List<T> samples, ToDoubleFunction<T> value) {
        int points = Math.min(POINTS, samples.size());
        double[] means = IntStream.range(0, points)
                .mapToDouble(point ->
                        samples.subList(point * samples.size() / points, (point + 1) * samples.size() / points).stream()
                                .mapToDouble(value)
                                .average()
                                .orElse(0))
                .toArray();
        double maxValue = DoubleStream.of(means).max().orElse(0);
        return """
                ```mermaid
                xychart-beta
                    title "%s"
                    x-axis "seconds" 0 --> %.0f
                    y-axis "%s" 0 --> %.0f
                    line [%s]
                ```
                """.formatted(
                        title,
                        seconds,
                        axis,
                        Math.max(1, Math.ceil(maxValue)),
                        DoubleStream.of(means)
                                .mapToObj(mean -> String.format(Locale.ROOT, "%.1f", mean))
                                .collect(Collectors.joining(", ")));
    }

    /** Returns a chart with one bar per name. */
    static String bars(String title, String names, List<String> named, String axis, List<Double> values) {
        double maxValue = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return """
                ```mermaid
                xychart-beta
                    title "%s"
                    x-axis "%s" ["%s"]
                    y-axis "%s" 0 --> %.0f
                    bar [%s]
                ```
                """.formatted(
                        title,
                        names,
                        String.join("\", \"", named),
                        axis,
                        Math.max(1, Math.ceil(maxValue)),
                        values.stream()
                                .map(value -> String.format(Locale.ROOT, "%.0f", value))
                                .collect(Collectors.joining(", ")));
    }
}
