package io.taskmaster.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How a table is written down. */
public enum TableStyle {
    /** For a terminal: columns aligned. */
    ALIGNED {
        @Override
        public String table(List<List<String>> lines) {
            int[] widths = IntStream.range(0, lines.getFirst().size())
                    .map(column -> lines.stream()
                            .mapToInt(line -> line.get(column).length())
                            .max()
                            .orElse(0))
                    .toArray();
            return lines.stream().map(line -> aligned(line, widths)).collect(Collectors.joining("\n"));
        }

        @Override
        String remark(String text) {
            return text;
        }

        @Override
        String detail(String text) {
            return "  " + text;
        }
    },
    /** For a document: Markdown, with a list of remarks. */
    MARKDOWN {
        @Override
        public String table(List<List<String>> lines) {
            List<String> rule = Collections.nCopies(lines.getFirst().size(), "---");
            return IntStream.range(0, lines.size())
                    .mapToObj(i -> i == 0 ? piped(lines.get(i)) + "\n" + piped(rule) : piped(lines.get(i)))
                    .collect(Collectors.joining("\n"));
        }

        @Override
        String remark(String text) {
            return "- " + text;
        }

        @Override
        String detail(String text) {
            return "  - " + text;
        }
    };

    /** The lines of a table, of which the first is its head, all of the same number of cells. Without a line feed at the end. */
    public abstract String table(List<List<String>> lines);

    /** A line that stands below a table. */
    abstract String remark(String text);

    /** A line that belongs to the remark before it. */
    abstract String detail(String text);

    private static String aligned(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String padding = " ".repeat(widths[column] - cells.get(column).length());
            line.append(column == 0 ? cells.get(column) + padding : "  " + padding + cells.get(column));
        }
        return line.toString().stripTrailing();
    }

    private static String piped(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}
