package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ErrorMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of pages that repeat parts of the code. */
final class DocumentationTest {

    @Test
    void theTableOfErrorsIsThatOfTheCode() throws IOException {
        List<String> documented = Files.readString(Path.of("../docs/errors.md"))
                .lines()
                .filter(line -> line.matches("\\| `[A-Z_]+` \\| `[A-Z_]+` \\| .*"))
                .map(line -> line.substring(0, line.lastIndexOf(" | ")))
                .toList();

        List<String> expected = Arrays.stream(ErrorCode.values())
                .map(code -> "| `%s` | `%s` | `%s`"
                        .formatted(
                                code,
                                ErrorMapper.toGrpc(new TaskMasterException(code, ""))
                                        .getStatus()
                                        .getCode(),
                                code.advice()))
                .toList();
        assertThat(documented).isEqualTo(expected);
    }
}
