package io.taskmaster.stage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The architecture rules of this module: the dependencies that each package may have. */
final class WallsTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.taskmaster.stage");

    @Test
    void whatAPipelineIsKnowsNothingOfWhatRunsIt() {
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.stage")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.taskmaster.stage.worker..",
                        "io.taskmaster.stage.local..",
                        "java.util.concurrent..",
                        "org.slf4j..")
                .check(ALL);
    }

    @Test
    void durableAndLocalStagesMeetInTheWordsOfThePipelineAlone() {
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.stage.local..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.taskmaster.stage.worker..")
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.stage.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.taskmaster.stage.local..")
                .check(ALL);
    }

    @Test
    void controllersKnowNothingOfWhatTheyControl() {
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.stage.control..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.taskmaster.stage",
                        "io.taskmaster.stage.worker..",
                        "io.taskmaster.stage.local..",
                        "java.util.concurrent..",
                        "org.slf4j..")
                .check(ALL);
    }

    @Test
    void socketsAreKnownToThemselvesAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.taskmaster.stage.net..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage("io.taskmaster.stage.net..", "io.taskmaster.stage.time..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.stage.worker..", "io.taskmaster.stage.local..")
                .check(ALL);
    }

    @Test
    void steeringKnowsNothingOfTheStagesThatItSteers() {
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.stage.steering..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.taskmaster.stage", "io.taskmaster.stage.worker..", "io.taskmaster.stage.local..")
                .check(ALL);
    }

    @Test
    void timeIsHandedIn() {
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
                .check(ALL);
    }

    @Test
    void onlyTheRoomOfTracesSeesOpenTelemetry() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.taskmaster.stage.trace")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.taskmaster.trace.TraceContext")
                .check(ALL);
    }

    @Test
    void theServerIsReachedThroughItsClientAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "io.taskmaster.v1..", "io.taskmaster.wire..", "io.taskmaster.server..")
                .check(ALL);
    }
}
