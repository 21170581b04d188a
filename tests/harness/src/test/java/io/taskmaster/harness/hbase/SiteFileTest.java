package io.taskmaster.harness.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

final class SiteFileTest {

    @Test
    void holdsEverySettingInOrder() {
        assertThat(SiteFile.text(new TreeMap<>(Map.of("b", "2", "a", "1")))).isEqualTo("""
                <?xml version="1.0" encoding="UTF-8"?>
                <configuration>
                  <property><name>a</name><value>1</value></property>
                  <property><name>b</name><value>2</value></property>
                </configuration>
                """);
    }

    @Test
    void anXmlParserReadsWhatWasMeant() throws Exception {
        String value = "a < b && c > \"d\"";
        String text = SiteFile.text(new TreeMap<>(Map.of("key", value)));

        Document read = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));

        assertThat(read.getElementsByTagName("value").item(0).getTextContent()).isEqualTo(value);
    }
}
