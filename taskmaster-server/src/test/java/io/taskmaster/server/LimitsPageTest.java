package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.Setting;
import io.taskmaster.server.config.NodeSetting;
import io.taskmaster.wire.ErrorMapper;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final Set<Setting> NO_LIMITS = Set.of(
            PortSetting.LISTEN,
            PortSetting.HTTP,
            PortSetting.ACCESS_FILE,
            PortSetting.TLS_CERTIFICATE,
            PortSetting.TLS_KEY,
            PortSetting.TLS_CLIENT_CA,
            NodeSetting.STORE,
            NodeSetting.DATA,
            NodeSetting.HBASE_ZOOKEEPER,
            NodeSetting.HBASE_SITE,
            NodeSetting.HBASE_TABLE_PREFIX,
            NodeSetting.HBASE_REGIONS,
            NodeSetting.HISTORY_PATTERN,
            NodeSetting.FLOW_FAMILY,
            NodeSetting.HBASE_DURABILITY,
            NodeSetting.BIGTABLE_PROJECT,
            NodeSetting.BIGTABLE_INSTANCE,
            NodeSetting.BIGTABLE_APP_PROFILE,
            NodeSetting.BIGTABLE_EMULATOR,
            NodeSetting.NODE_ID,
            NodeSetting.NODE_TAKE_OVER,
            NodeSetting.PARTITIONS,
            NodeSetting.FLUSH_INTERVAL,
            PortSetting.LOG_FORMAT);

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
                .containsExactlyInAnyOrderEntriesOf(NodeSetting.all().stream()
                        .filter(setting -> !NO_LIMITS.contains(setting))
                        .collect(Collectors.toMap(Setting::key, Setting::defaultValue)));
    }

    private static List<MatchResult> rows(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE)).results().toList();
    }
}
