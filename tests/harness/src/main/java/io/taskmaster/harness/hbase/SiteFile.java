package io.taskmaster.harness.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;

/** A writer of settings in the XML that Hadoop and HBase read. */
final class SiteFile {

    private SiteFile() {}

    static void write(Path file, SortedMap<String, String> settings) throws IOException {
        Files.writeString(file, text(settings), UTF_8);
    }

    static String text(SortedMap<String, String> settings) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n");
        settings.forEach((key, value) -> xml.append("  <property><name>")
                .append(escaped(key))
                .append("</name><value>")
                .append(escaped(value))
                .append("</value></property>\n"));
        return xml.append("</configuration>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
