package io.taskmaster.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The architecture rules of docs/architecture.md for the command line. */
final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.taskmaster.cli");

    @Test
    void onlyItsAdapterSeesTheTerminalLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..cli.screen..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jline..")
                .check(CLASSES);
    }

    @Test
    void commandsSeeTheClientAndNeitherPortsNorEngine() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.taskmaster.server..",
                        "io.taskmaster.command..",
                        "io.taskmaster.proxy.rpc..",
                        "io.taskmaster.proxy.http..",
                        "io.taskmaster.proxy.json..",
                        "io.taskmaster.proxy.route..",
                        "io.taskmaster.v1..",
                        "io.grpc..")
                .check(CLASSES);
    }

    @Test
    void clocksArePassedIn() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class)
                .check(CLASSES);
    }

    @Test
    void noPackageIsInACircle() {
        slices().matching("io.taskmaster.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
