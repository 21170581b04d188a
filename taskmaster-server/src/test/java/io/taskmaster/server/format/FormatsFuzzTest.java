package io.taskmaster.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.fuzz.Decoder;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of every decoder of stored bytes in this package, on random bytes. */
final class FormatsFuzzTest {

    /**
     * Returns the static methods that decode bytes, found by reflection; so a new format is covered without being named
     * here.
     */
    private static List<Decoder> decoders() {
        List<Decoder> decoders = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(FormatsFuzzTest.class.getPackageName())) {
            for (JavaMethod found : type.getMethods()) {
                Method method = found.reflect();
                List<Class<?>> parameters = List.of(method.getParameterTypes());
                if (Modifier.isStatic(method.getModifiers())
                        && !Modifier.isPrivate(method.getModifiers())
                        && parameters.contains(Bytes.class)
                        && method.getReturnType() != Bytes.class) {
                    decoders.add(new Decoder(
                            type.getSimpleName() + "." + method.getName(),
                            CorruptRecordException.class,
                            bytes -> call(method, bytes)));
                }
            }
        }
        return decoders;
    }

    private static Object call(Method decode, byte[] bytes) {
        Object[] arguments = Arrays.stream(decode.getParameterTypes())
                .map(type -> argument(type, bytes))
                .toArray();
        try {
            return decode.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw new AssertionError(e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Object argument(Class<?> type, byte[] bytes) {
        if (type == Bytes.class) {
            return Bytes.wrap(bytes);
        } else if (type == long.class) {
            return 1L;
        } else if (type == int.class) {
            return 1;
        } else if (type == QueueKey.class) {
            return QueueKey.of("q");
        }
        throw new AssertionError("give this test a value of " + type);
    }

    @Test
    void whatNobodyWroteIsReadOrRefusedAsCorruptAndCostsLittle() throws IOException {
        List<Decoder> decoders = decoders();
        assertThat(decoders)
                .hasSizeGreaterThanOrEqualTo(7)
                .extracting(Decoder::name)
                .contains("AtomCodec.decode", "TaskCodec.decodeState", "QueueRecordCodec.decode", "RowKeys.queueOf");

        Decoder.tryOnRandomBytes(decoders);
    }
}
