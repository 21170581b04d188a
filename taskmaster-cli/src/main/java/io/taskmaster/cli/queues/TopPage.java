package io.taskmaster.cli.queues;

import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.QueueColumn;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.screen.Columns;
import io.taskmaster.cli.screen.Screen.Line;
import io.taskmaster.cli.screen.Screen.Size;
import io.taskmaster.cli.screen.Screen.Style;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.QueueVerdict;
import io.taskmaster.client.RankResult;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A page of {@code top}, as lines: three lines with the server, the totals and the selection, and a table with as many
 * queues and columns as fit, the sorting column among them. Immutable.
 *
 * @param server the address of the server
 * @param lastResult the last reply; absent before the first
 * @param lastFailure the error of the last request; absent if it succeeded
 */
record TopPage(TopView view, String server, Optional<RankResult> lastResult, Optional<String> lastFailure) {

    /** The number of lines above the rows. */
    static final int HEADER_LINES = 4;

    /** The bound on requested rows, however high the screen is. */
    static final int MAX_ROWS = 1_000;

    private static final int MIN_NAME_WIDTH = 12;
    private static final int GROUP_WIDTH = 12;
    private static final int VERDICT_WIDTH = 7;
    private static final String GAP = "  ";

    List<Line> lines(Size size) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(title(), Style.BOLD));
        lines.add(Line.plain(lastResult.map(TopPage::totals).orElse("")));
        lines.add(state());
        if (view.mode() == TopView.Mode.HELP) {
            help().forEach(text -> lines.add(Line.plain(text)));
        } else {
            addTable(lines, size);
        }
        return lines.stream()
                .limit(size.height())
                .map(line -> new Line(Columns.atMost(line.text(), size.width()), line.style()))
                .toList();
    }

    private String title() {
        Optional<Instant> at = lastResult.map(result -> result.at().truncatedTo(ChronoUnit.SECONDS));
        return "taskmaster top" + GAP + server + GAP + at.map(Instant::toString).orElse("") + GAP + "? help";
    }

    /** Returns the totals of all matching queues, in a sentence. */
    static String totals(RankResult result) {
        QueueDescription total = result.total();
        QueueSummary sizes = total.summary();
        String worst = result.worst() == QueueVerdict.FINE ? "" : ", worst verdict " + text(result.worst());
        return "queues %d, available %d, leased %d, delayed %d, enqueued %s/s, dequeued %s/s, oldest %s"
                        .formatted(
                                result.matched(),
                                sizes.available(),
                                sizes.leased(),
                                sizes.delayed(),
                                QueueLines.rate(total.enqueueRate()),
                                QueueLines.rate(total.dequeueRate()),
                                QueueLines.age(total.oldestAvailableAge()))
                + worst;
    }

    /** Returns whether to show the column of verdicts: only if any queue has one worth showing. */
    static boolean hasVerdicts(RankResult result) {
        return result.worst() != QueueVerdict.FINE;
    }

    static String verdict(RankResult result, int row) {
        QueueVerdict verdict =
                row < result.verdicts().size() ? result.verdicts().get(row) : QueueVerdict.FINE;
        return verdict == QueueVerdict.FINE ? "" : text(verdict);
    }

    private static String text(QueueVerdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    private Line state() {
        if (view.mode() == TopView.Mode.TYPING) {
            return new Line("match (RE2, whole name): " + view.typed() + "_", Style.BOLD);
        }
        if (lastFailure.isPresent()) {
            return new Line(lastFailure.get(), Style.REVERSE);
        }
        Optional<String> missing = lastResult.flatMap(TopPage::missing);
        return missing.isPresent() ? new Line(missing.get(), Style.REVERSE) : Line.plain(choice());
    }

    private String choice() {
        return "by " + view.order() + (view.reversed() ? ", reversed" : "")
                + view.queues().pattern().map(pattern -> "; match " + pattern).orElse("")
                + (view.allGroups() ? "; all groups" : "");
    }

    /** Returns a warning if not all partitions have answered. */
    static Optional<String> missing(RankResult result) {
        return result.closedPartitions() == 0
                ? Optional.empty()
                : Optional.of(
                        "Partitions that do not serve, and whose queues are missing: " + result.closedPartitions());
    }

    private void addTable(List<Line> lines, Size size) {
        int nameWidth = nameWidth(size);
        boolean hasVerdicts = lastResult.filter(TopPage::hasVerdicts).isPresent();
        List<QueueColumn> columns =
                columns(size.width() - nameWidth - groupWidth() - (hasVerdicts ? VERDICT_WIDTH + GAP.length() : 0));
        StringBuilder header = new StringBuilder();
        if (view.allGroups()) {
            header.append(Columns.fit("GROUP", GROUP_WIDTH)).append(GAP);
        }
        header.append(Columns.fit("QUEUE", nameWidth));
        if (hasVerdicts) {
            header.append(GAP).append(Columns.fit("VERDICT", VERDICT_WIDTH));
        }
        columns.forEach(column -> header.append(GAP).append(column.align(column.header())));
        lines.add(new Line(Columns.fit(header.toString(), size.width()), Style.REVERSE));
        lastResult.ifPresent(result -> {
            for (int i = 0; i < result.queues().size(); i++) {
                Optional<String> verdict = hasVerdicts ? Optional.of(verdict(result, i)) : Optional.empty();
                lines.add(row(result.queues().get(i), nameWidth, verdict, columns));
            }
        });
    }

    private Line row(QueueDescription queue, int nameWidth, Optional<String> verdict, List<QueueColumn> columns) {
        StringBuilder row = new StringBuilder();
        if (view.allGroups()) {
            row.append(Columns.fit(ByteText.line(queue.summary().queue().group()), GROUP_WIDTH))
                    .append(GAP);
        }
        row.append(Columns.fit(ByteText.line(queue.summary().queue().name()), nameWidth));
        verdict.ifPresent(text -> row.append(GAP).append(Columns.fit(text, VERDICT_WIDTH)));
        columns.forEach(
                column -> row.append(GAP).append(column.align(column.cell().apply(queue))));
        return Line.plain(row.toString());
    }

    /** Returns the width of the widest name shown, but at most half of the screen. */
    private int nameWidth(Size size) {
        int widest = lastResult.map(RankResult::queues).orElse(List.of()).stream()
                .mapToInt(queue ->
                        Columns.of(ByteText.line(queue.summary().queue().name())))
                .max()
                .orElse(0);
        return Math.clamp(widest, MIN_NAME_WIDTH, Math.max(MIN_NAME_WIDTH, size.width() / 2));
    }

    /** Returns the columns that fit. The sorting column is placed first, then the others by importance. */
    private List<QueueColumn> columns(int width) {
        List<QueueColumn> wantedColumns = new ArrayList<>(QueueColumn.ALL);
        wantedColumns.sort(Comparator.comparing(column -> !isSorting(column)));
        Set<QueueColumn> chosen = new HashSet<>();
        int remaining = width;
        for (QueueColumn column : wantedColumns) {
            remaining -= GAP.length() + column.width();
            if (remaining < 0) {
                break;
            }
            chosen.add(column);
        }
        return QueueColumn.ALL.stream().filter(chosen::contains).toList();
    }

    private boolean isSorting(QueueColumn column) {
        return column.order().equals(Optional.of(view.order().order()));
    }

    private int groupWidth() {
        return view.allGroups() ? GROUP_WIDTH + GAP.length() : 0;
    }

    private static List<String> help() {
        List<String> lines = new ArrayList<>(List.of("", "Sort by"));
        for (TopOrder order : TopOrder.values()) {
            lines.add("  %s  %s".formatted(order.key(), order));
        }
        lines.addAll(List.of(
                "",
                "  r  reverse the order",
                "  /  only queues that match a pattern; Enter accepts it, Escape cancels",
                "  g  this group, or all",
                "  ?  this help",
                "  q  quit"));
        return lines;
    }
}
