package io.taskmaster.simulation.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.LogFormats;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;

/** The notation of rows and values in a trace: printable bytes as they are, the others in hexadecimal. */
final class Labels {

    private Labels() {}

    static String of(CellKey key, Bytes value) {
        String row = key.table() == Table.LOG
                ? LogFormats.describe(key) + (LogFormats.isFence(key, value) ? " (fence)" : "")
                : of(key.row());
        return key.table() + " " + row + " := " + value.size() + " bytes #" + Integer.toHexString(value.hashCode());
    }

    static String of(RowRange range) {
        return range.table() + " " + of(range.from()) + " to " + of(range.to());
    }

    static String of(Bytes row) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            int b = row.at(i);
            if (b > ' ' && b < 0x7f) {
                text.append((char) b);
            } else {
                text.append("%02x".formatted(b)).append(i + 1 < row.size() ? "." : "");
            }
        }
        return text.toString();
    }
}
