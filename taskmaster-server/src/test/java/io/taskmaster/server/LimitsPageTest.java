package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.config.Limits;
import io.taskmaster.server.config.Setting;
import io.taskmaster.wire.ErrorMapper;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the page of limits has exactly the limits of the code. */
final class LimitsPageTest {

    private static final Path PAGE = Path.of("../docs/limits.md");
    private static final Pattern LIMIT =
            Pattern.compile("(?m)^\\| [^|]+ \\| ([0-9,]+)[^|]* \\| [^|]+ \\| `([A-Z_]+)` \\| ([^|]+) \\|$");
    private static final Pattern SETTING =
            Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| `([^`]+)` \\| [^|]+ \\| [^|]+ \\|$");
    private static final Pattern ERROR = Pattern.compile("`([A-Z_]+)`, `([A-Z_]+)`");

    /** The settings that are not limits. A new setting must be either here or on the page. */
    private static final Set<Setting> NO_LIMITS = EnumSet.of(
            Setting.LISTEN,
            Setting.HTTP,
            Setting.ACCESS_FILE,
            Setting.TLS_CERTIFICATE,
            Setting.TLS_KEY,
            Setting.TLS_CLIENT_CA,
            Setting.STORE,
            Setting.DATA,
            Setting.HBASE_ZOOKEEPER,
            Setting.HBASE_SITE,
            Setting.HBASE_TABLE_PREFIX,
            Setting.HBASE_REGIONS,
            Setting.HISTORY_PATTERN,
            Setting.FLOW_FAMILY,
            Setting.HBASE_DURABILITY,
            Setting.BIGTABLE_PROJECT,
            Setting.BIGTABLE_INSTANCE,
            Setting.BIGTABLE_APP_PROFILE,
            Setting.BIGTABLE_EMULATOR,
            Setting.NODE_ID,
            Setting.NODE_TAKE_OVER,
            Setting.PARTITIONS,
            Setting.FLUSH_INTERVAL,
            Setting.LOG_FORMAT);

    @Test
    void everyLimitOfARequestIsThereWithItsValue() throws IOException, IllegalAccessException {
        Map<String, Long> documented = new LinkedHashMap<>();
        for (MatchResult row : rows(LIMIT)) {
            documented.put(row.group(2), Long.parseLong(row.group(1).replace(",", "")));
        }

        Map<String, Long> expected = new LinkedHashMap<>();
        for (Field field : Limits.class.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                expected.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        assertThat(documented).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void everyErrorIsThereWithItsStatus() throws IOException {
        List<MatchResult> errors = rows(ERROR);

        assertThat(errors).isNotEmpty().allSatisfy(error -> {
            var refusal = new TaskMasterException(ErrorCode.valueOf(error.group(2)), "");
            assertThat(ErrorMapper.toGrpc(refusal).getStatus().getCode()).hasToString(error.group(1));
        });
    }

    @Test
    void everySettingThatBoundsSomethingIsThereWithItsDefault() throws IOException {
        Map<String, String> documented = rows(SETTING).stream()
                .collect(Collectors.toMap((MatchResult row) -> row.group(1), (MatchResult row) -> row.group(2)));

        assertThat(documented)
                .containsExactlyInAnyOrderEntriesOf(Arrays.stream(Setting.values())
                        .filter(setting -> !NO_LIMITS.contains(setting))
                        .collect(Collectors.toMap(Setting::key, Setting::defaultValue)));
    }

    private static List<MatchResult> rows(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE)).results().toList();
    }
}
