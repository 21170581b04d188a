package io.taskmaster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The architecture rules of this module: the dependencies that each package may have. */
final class WallsTest {

    private static final String STUBS = "io.taskmaster.v1";

    // The stubs are generated, and many: no rules apply inside them.
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/io/taskmaster/v1/"))
            .importPackages("io.taskmaster");

    @Test
    void onlyClientWireAndArchiveSeeGrpcAndProtobuf() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.taskmaster.client..", "io.taskmaster.wire..", "io.taskmaster.archive..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "com.google.rpc..", "io.netty..", STUBS)
                .check(ALL);
    }

    @Test
    void modelAndErrorStandOnNothingOfOurs() {
        noClasses()
                .that()
                .resideInAnyPackage("io.taskmaster.model..", "io.taskmaster.error..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.client..", "io.taskmaster.wire..")
                .check(ALL);
    }

    @Test
    void onlyTheContextOfTracesSeesOpenTelemetry() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.taskmaster\\.trace\\.TraceContext.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(ALL);
    }

    @Test
    void clientAndArchiveAreSpokenToInOurWords() {
        Set<JavaClass> visible = ALL.stream()
                .filter(type ->
                        Set.of("io.taskmaster.client", "io.taskmaster.archive").contains(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .collect(Collectors.toSet());
        assertThat(visible)
                .allSatisfy(type -> assertThat(type.getMethods())
                        .filteredOn(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .allSatisfy(method -> {
                            assertThat(method.getRawReturnType().getPackageName())
                                    .doesNotStartWith("io.grpc")
                                    .doesNotStartWith("com.google")
                                    .isNotEqualTo(STUBS);
                            assertThat(method.getRawParameterTypes())
                                    .extracting(JavaClass::getPackageName)
                                    .noneMatch(name -> name.startsWith("io.grpc")
                                            || name.startsWith("com.google")
                                            || name.equals(STUBS));
                        }));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.taskmaster.(*)..").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void namesSayWhatAThingIs() {
        classes()
                .should()
                .haveSimpleNameNotEndingWith("Utils")
                .andShould()
                .haveSimpleNameNotEndingWith("Util")
                .andShould()
                .haveSimpleNameNotEndingWith("Manager")
                .andShould()
                .haveSimpleNameNotEndingWith("Helper")
                .andShould()
                .haveSimpleNameNotEndingWith("Impl")
                .check(ALL);
    }

    @Test
    void everyPackageIsNullMarkedInItsPackageInfo() {
        List<JavaPackage> ours =
                ALL.stream().map(JavaClass::getPackage).distinct().toList();
        assertThat(ours).hasSizeGreaterThanOrEqualTo(4).allMatch(one -> one.isAnnotatedWith(NullMarked.class));
    }
}
