package io.taskmaster.examples.conversion.converter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.examples.conversion.stage.ConversionFailedException;
import io.taskmaster.model.Bytes;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of converters as processes, which die and hang. */
final class ConverterPoolIT {

    private static final ConverterRequest PLAIN = new ConverterRequest(document(false), 0, Bytes.of("<p>text"));
    private static final ConverterRequest POISON =
            new ConverterRequest(document(false), 0, Bytes.of("<table><tr><td colspan=2000000000>wide</table>"));

    @Test
    void documentOfWhichAConverterDiesIsAFailureAndTheNextOneGetsAnother() throws Exception {
        try (ConverterPool pool = new ConverterPool(1)) {
            assertThat(pool.convert(PLAIN)).isEqualTo("text\n\n");
            assertThatThrownBy(() -> pool.convert(POISON))
                    .isInstanceOf(ConversionFailedException.class)
                    .hasMessage("the converter ended with status 3");
            assertThat(pool.convert(PLAIN)).isEqualTo("text\n\n");
        }
    }

    @Test
    void injectedFailuresEndWithTheFailuresThatThereWere() throws Exception {
        String flaky = document(true);
        int failures = InjectedFailures.of(flaky);
        try (ConverterPool pool = new ConverterPool(1)) {
            assertThatThrownBy(() -> pool.convert(new ConverterRequest(flaky, failures - 1, Bytes.of("x"))))
                    .hasMessage("injected failure %d of %d", failures, failures);
            assertThat(pool.convert(new ConverterRequest(flaky, failures, Bytes.of("x"))))
                    .isEqualTo("x\n\n");
        }
    }

    /** Returns a document at which converters fail at first, or one at which they do not. */
    private static String document(boolean flaky) {
        return Stream.iterate(0, number -> number + 1)
                .map(number -> "document-" + number)
                .filter(document -> InjectedFailures.of(document) > 0 == flaky)
                .findFirst()
                .orElseThrow();
    }
}
