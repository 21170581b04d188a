package io.taskmaster.proxy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The architecture rules of docs/architecture.md for the lower storey. */
final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.taskmaster.proxy", "io.taskmaster.command");

    /** The upper storey, and what it stores in. */
    private static final Pattern UPPER_STOREY = Pattern.compile("taskmaster-server|rocksdb|hbase|hadoop|zookeeper");

    @Test
    void theClassPathHasNeitherEngineNorStores() {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator));

        assertThat(classPath)
                .as("Surefire passes the class path as it is")
                .anyMatch(entry -> entry.contains("grpc-netty"));
        assertThat(classPath)
                .noneMatch(entry -> UPPER_STOREY.matcher(nameOf(entry)).find());
        assertThat(getClass().getResource("/io/taskmaster/server")).isNull();
    }

    /** Returns the name of a jar; of a folder of classes, that of its module. */
    private static String nameOf(String entry) {
        File file = new File(entry);
        return file.isDirectory() ? file.getParentFile().getParentFile().getName() : file.getName();
    }

    @Test
    void nothingSeesTheUpperStorey() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.server..", "io.taskmaster.cli..")
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
    void commandsAreDataAlone() {
        noClasses()
                .that()
                .resideInAPackage("io.taskmaster.command..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.taskmaster.proxy..",
                        "io.taskmaster.v1..",
                        "io.grpc..",
                        "com.google.protobuf..",
                        "java.util.concurrent..")
                .check(CLASSES);
    }

    @Test
    void onlyThePortsSpeakTheContract() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..proxy.rpc..", "..proxy.json..", "..proxy.http..", "..proxy.tls..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.v1..", "io.grpc..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("..proxy.tls..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.v1..", "io.grpc", "io.grpc.stub..", "io.grpc.netty..")
                .check(CLASSES);
    }

    @Test
    void accessSeesNoPort() {
        noClasses()
                .that()
                .resideInAnyPackage("..proxy.access..", "..proxy.tls..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..proxy.rpc..", "..proxy.http..", "..proxy.json..", "..proxy.route..")
                .check(CLASSES);
    }

    @Test
    void jsonIsMadeOfTheContractAlone() {
        noClasses()
                .that()
                .resideInAPackage("..proxy.json..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..proxy.rpc..", "..proxy.http..", "..proxy.route..", "io.taskmaster.command..")
                .check(CLASSES);
    }

    @Test
    void theHttpPortReachesPartitionsOnlyThroughTheService() {
        noClasses()
                .that()
                .resideInAPackage("..proxy.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..proxy.rpc..", "..proxy.route..", "io.taskmaster.command..")
                .check(CLASSES);
    }

    @Test
    void noPackageIsInACircle() {
        slices().matching("io.taskmaster.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
