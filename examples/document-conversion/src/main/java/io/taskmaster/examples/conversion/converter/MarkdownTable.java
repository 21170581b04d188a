package io.taskmaster.examples.conversion.converter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;

/**
 * A converter of HTML tables to Markdown, which has no cells that span columns: such a cell is followed by empty ones.
 * It obeys the document, however many columns that takes: the deliberate bug of this converter, which crashes its
 * process.
 */
final class MarkdownTable {

    private MarkdownTable() {}

    static String of(Element table) {
        List<String> lines = new ArrayList<>();
        for (Element row : table.select("tr")) {
            List<String> cells = cells(row);
            lines.add(line(cells));
            if (lines.size() == 1) {
                lines.add(line(cells.stream().map(_ -> "---").toList()));
            }
        }
        return String.join("\n", lines);
    }

    private static List<String> cells(Element row) {
        List<String> cells = new ArrayList<>();
        for (Element cell : row.select("th, td")) {
            cells.add(cell.text().replace("|", "\\|"));
            for (int i = 1; i < columns(cell); i++) {
                cells.add("");
            }
        }
        return cells;
    }

    private static int columns(Element cell) {
        try {
            return Integer.parseInt(cell.attr("colspan"));
        } catch (NumberFormatException notSaid) {
            return 1;
        }
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}
