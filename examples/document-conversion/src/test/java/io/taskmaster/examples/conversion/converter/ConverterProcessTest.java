package io.taskmaster.examples.conversion.converter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.examples.conversion.stage.ConversionFailedException;
import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of converters that are shell scripts, which end as the test says. */
final class ConverterProcessTest {

    private static final ConverterRequest REQUEST = new ConverterRequest("a", 0, Bytes.of("<p>text"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {129, 130, 143})
    void converterThatWasToldToEndIsNoFailureOfTheConversion(int status) {
        try (ConverterProcess converter = script("exit " + status)) {
            assertThatThrownBy(() -> converter.convert(REQUEST))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the converter was stopped");
        }
    }

    @Test
    void converterThatEndsByItselfIsOne() {
        try (ConverterProcess converter = script("exit 3")) {
            assertThatThrownBy(() -> converter.convert(REQUEST))
                    .isInstanceOf(ConversionFailedException.class)
                    .hasMessage("the converter ended with status 3");
        }
    }

    @Test
    void documentAfterAnInterruptedOneGetsAConverterOfItsOwn() throws Exception {
        Path second = folder.resolve("second");
        String deafThenGood = """
                if [ -e '%s' ]; then printf '\\001\\000\\000\\000\\001x'; else touch '%s'; exec >&-; fi
                exec cat >/dev/null
                """.formatted(second, second);
        try (ConverterProcess converter = script(deafThenGood)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> converter.convert(REQUEST)).isInstanceOf(InterruptedException.class);

            assertThat(converter.convert(REQUEST)).isEqualTo("x");
        }
    }

    private static ConverterProcess script(String text) {
        return new ConverterProcess(List.of("sh", "-c", text));
    }
}
