package io.taskmaster.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test that decisions change no state. It infers the methods of the state that change it: those that set a field, or
 * change a collection and create none, and all that call such a method.
 */
final class EnginePurityTest {

    /** The packages of the state, and of its parts. */
    private static final Set<String> STATE = Set.of(
            "io.taskmaster.server.engine.state",
            "io.taskmaster.server.engine.dedup",
            "io.taskmaster.server.engine.flow");

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.taskmaster.server.engine");

    private static final Set<String> CHANGES_OF_COLLECTIONS = Set.of(
            "add",
            "addAll",
            "addFirst",
            "addLast",
            "clear",
            "compute",
            "computeIfAbsent",
            "computeIfPresent",
            "merge",
            "offer",
            "poll",
            "pollFirst",
            "pollLast",
            "pop",
            "push",
            "put",
            "putAll",
            "putIfAbsent",
            "remove",
            "removeAll",
            "removeFirst",
            "removeIf",
            "removeLast",
            "replaceAll",
            "retainAll",
            "set");

    /** Methods that only remember what they have computed: a cache is not part of the state. */
    private static final Set<String> CACHES = Set.of("QueueState.oldestReadyMillis");

    @Test
    void decisionsAndScansChangeNoState() {
        Set<JavaCodeUnit> changing = changingMethods();

        List<String> calls = ENGINE.stream()
                .filter(type -> type.getPackageName().endsWith(".decide")
                        || type.getPackageName().endsWith(".rank"))
                .flatMap(type -> Stream.concat(
                        type.getCodeUnitCallsFromSelf().stream(), type.getCodeUnitReferencesFromSelf().stream()))
                .filter(call -> call.getTarget()
                        .resolveMember()
                        .filter(changing::contains)
                        .isPresent())
                .map(call -> call.getOriginOwner().getSimpleName() + " -> " + nameOf(call.getTarget()))
                .filter(call -> !CACHES.contains(call.substring(call.indexOf("-> ") + 3)))
                .distinct()
                .sorted()
                .toList();

        assertThat(calls).isEmpty();
    }

    @Test
    void theInferenceKnowsTheOneWayToChange() {
        Set<String> changing = changingMethods().stream()
                .map(method -> method.getOwner().getSimpleName() + "." + method.getName())
                .collect(Collectors.toSet());

        assertThat(changing)
                .contains("PartitionState.apply", "PartitionState.advance", "QueueState.restart")
                .doesNotContain("PartitionState.due", "QueueState.tasksFrom", "QueueState.available");
    }

    private static String nameOf(AccessTarget.CodeUnitAccessTarget target) {
        return target.getOwner().getSimpleName() + "." + target.getName();
    }

    private static Set<JavaCodeUnit> changingMethods() {
        Set<JavaCodeUnit> changing = new HashSet<>();
        List<JavaMethod> methods = ENGINE.stream()
                .filter(type -> STATE.contains(type.getPackageName()))
                .map(JavaClass::getMethods)
                .flatMap(Set::stream)
                .toList();
        methods.stream().filter(EnginePurityTest::changesAField).forEach(changing::add);
        boolean isGrowing = true;
        while (isGrowing) {
            isGrowing = false;
            for (JavaMethod method : methods) {
                boolean callsOne = method.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTarget()
                                .resolveMember()
                                .filter(changing::contains)
                                .isPresent());
                isGrowing |= callsOne && changing.add(method);
            }
        }
        return changing;
    }

    private static boolean changesAField(JavaMethod method) {
        boolean sets = method.getFieldAccesses().stream().anyMatch(access -> access.getAccessType() == AccessType.SET);
        boolean creates = method.getConstructorCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().getPackageName().equals("java.util"));
        boolean changesACollection = method.getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().getPackageName().startsWith("java.util")
                        && CHANGES_OF_COLLECTIONS.contains(call.getName()));
        return sets || (changesACollection && !creates);
    }
}
