package io.taskmaster.cli.common;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text for users: each column is as wide as its widest cell, and numbers are aligned to the right.
 * Single-threaded.
 */
public final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... header) {
        rows.add(List.of(header));
    }

    public void add(Object... cells) {
        var row = new ArrayList<String>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    @Override
    public String toString() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        var text = new StringBuilder();
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                line.append(column == 0 ? "" : GAP).append(isNumeric(column) ? padding + cell : cell + padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Returns whether a column has numbers, by its cell in the first row under the header. */
    private boolean isNumeric(int column) {
        return rows.size() > 1 && rows.get(1).get(column).matches("[0-9.]+( ?(ms|s|m|h|d))?|-");
    }
}
