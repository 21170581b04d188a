package io.taskmaster.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The output format of a table. */
public enum TableStyle {
    /** The format for a terminal, with aligned columns. */
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
    /** The format for a document: Markdown, with a list of remarks. */
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

    /**
     * Formats the lines of a table. The first line is the head, and all have the same number of cells. The result has
     * no line feed at its end.
     */
    public abstract String table(List<List<String>> lines);

    /** Formats a line below the table. */
    abstract String remark(String text);

    /** Formats a line that belongs to the remark before it. */
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
