package io.taskmaster.examples.conversion.converter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;

/**
 * A table of HTML as one of Markdown, which knows no cells that span columns: such a cell is followed by empty ones. Does what the document says,
 * however many columns that are; the bug of this converter, of which its process dies.
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
