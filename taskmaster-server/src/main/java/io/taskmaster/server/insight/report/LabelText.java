package io.taskmaster.server.insight.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prometheus.metrics.model.snapshots.Labels;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.HexFormat;

/**
 * The encoding of names as labels. It is injective, since Prometheus rejects a scrape in which two series have the same
 * labels. A name is its text. A star in it, which would stand for a family, becomes {@code \*}; a backslash becomes
 * {@code \\}; and a byte that is not UTF-8 becomes {@code \x} and two digits. Stateless.
 */
final class LabelText {

    private static final String ANY = "*";
    private static final HexFormat HEX = HexFormat.of();

    private LabelText() {}

    static Labels of(FamilyName family) {
        return Labels.of(
                "group",
                family.group().map(LabelText::text).orElse(ANY),
                "family",
                text(family.head()) + (family.isOpen() ? ANY : "") + text(family.tail()));
    }

    static Labels of(QueueKey queue) {
        return Labels.of("group", text(queue.group()), "queue", text(queue.name()));
    }

    static String text(ByteSequence name) {
        StringBuilder text = new StringBuilder();
        ByteBuffer bytes = ByteBuffer.wrap(name.unsafeArray());
        CharBuffer characters = CharBuffer.allocate(name.size());
        CharsetDecoder decoder = UTF_8.newDecoder();
        CoderResult result;
        do {
            result = decoder.decode(bytes, characters, true);
            characters.flip().chars().forEach(character -> escape((char) character, text));
            characters.clear();
            for (int i = 0; result.isMalformed() && i < result.length(); i++) {
                HEX.toHexDigits(text.append("\\x"), bytes.get());
            }
        } while (result.isMalformed());
        return text.toString();
    }

    private static void escape(char character, StringBuilder text) {
        if (character == '*' || character == '\\') {
            text.append('\\');
        }
        text.append(character);
    }
}
