package io.taskmaster.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * The totals of a report in JUnit's XML format. Immutable.
 *
 * @param cases the number of cases that ran or should have run
 * @param notPassed the number of cases that failed, broke or were skipped
 */
record JUnitReport(int cases, int notPassed) {

    static JUnitReport read(Path file) {
        try {
            Element suite = (Element) DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getElementsByTagName("testsuite")
                    .item(0);
            return new JUnitReport(
                    count(suite, "tests"), count(suite, "failures") + count(suite, "errors") + count(suite, "skipped"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (SAXException | ParserConfigurationException malformed) {
            throw new IllegalArgumentException(file + ": not a report", malformed);
        }
    }

    private static int count(Element suite, String attribute) {
        return Integer.parseInt(suite.getAttribute(attribute));
    }
}
