package io.taskmaster.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.taskmaster.server.config.ServerConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The architecture rules of docs/architecture.md. */
final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.taskmaster.server");

    @Test
    void theEngineSeesNeitherThreadsNorClocksNorStoresNorTheNetwork() {
        noClasses()
                .that()
                .resideInAPackage("..server.engine..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "java.util.concurrent..",
                        "io.grpc..",
                        "com.google.protobuf..",
                        "io.taskmaster.v1..",
                        "org.rocksdb..",
                        "..server.store..",
                        "..server.partition..",
                        "io.taskmaster.proxy..",
                        "..server.config..",
                        "..server.cli.."))
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Thread.class)
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
    void onlyItsAdapterSeesRocksDb() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..store.rocksdb..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(CLASSES);
    }

    @Test
    void onlyItsAdapterSeesHBase() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..store.hbase..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..")
                .check(CLASSES);
        // The settings are read by servers that have no HBase on their class path.
        noClasses()
                .that()
                .resideInAPackage("..store.hbase.settings..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..")
                .check(CLASSES);
    }

    @Test
    void onlyTheServiceOfInsightSpeaksTheContract() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..server.insight.report..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.taskmaster.v1..", "io.grpc..")
                .check(CLASSES);
    }

    @Test
    void theServiceOfInsightSeesNoStore() {
        noClasses()
                .that()
                .resideInAPackage("..server.insight..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..server.store..")
                .check(CLASSES);
    }

    @Test
    void partsSeeNoMoreThanTheirOwnSettings() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..server", "..server.config..", "..server.cli..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(ServerConfig.class)
                .check(CLASSES);
    }

    @Test
    void storesSeeNothingOfWhatIsAboveThem() {
        noClasses()
                .that()
                .resideInAPackage("..server.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "..server.engine..",
                        "..server.partition..",
                        "..proxy.rpc..",
                        "..proxy.http..",
                        "..proxy.route..",
                        "..server.cli..")
                .check(CLASSES);
    }

    @Test
    void partitionsSeeNoPort() {
        noClasses()
                .that()
                .resideInAnyPackage("..server.partition..", "..server.format..", "..server.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "..proxy.rpc..", "..proxy.http..", "..proxy.json..", "..server.config..", "..server.cli..")
                .check(CLASSES);
    }

    @Test
    void theClusterSeesTheStoreByItsInterfaceAlone() {
        noClasses()
                .that()
                .resideInAPackage("..server.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..server.store.*..", "..server.engine..", "..server.format..")
                .check(CLASSES);
    }

    @Test
    void theLogSeesNeitherThePartitionNorTheEngine() {
        noClasses()
                .that()
                .resideInAPackage("..server.partition.log..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("..server.partition", "..server.engine..", "..server.format.."))
                .check(CLASSES);
    }

    @Test
    void noPackageIsInACircle() {
        slices().matching("io.taskmaster.server.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesOfTheEngineSeeNoneAboveThem() {
        assertFloors(
                "..server.engine.",
                List.of(
                        List.of("dedup", "flow"),
                        List.of("command"),
                        List.of("state"),
                        List.of("select"),
                        List.of("index"),
                        List.of("decide"),
                        List.of("rank")));
    }

    @Test
    void packagesOfThePartitionSeeNoneAboveThem() {
        assertFloors(
                "..server.partition.",
                List.of(
                        List.of("calls", "fair"),
                        List.of("log.row"),
                        List.of("log.ownership"),
                        List.of("log", "claim"),
                        List.of("loop"),
                        List.of("budget"),
                        List.of("context"),
                        List.of("commit"),
                        List.of("admit", "read"),
                        List.of("flush", "execute")));
    }

    /** Checks floors of packages, from the bottom up. Packages of one floor may see each other. */
    private static void assertFloors(String prefix, List<List<String>> floors) {
        for (int floor = 0; floor < floors.size(); floor++) {
            String[] above = floors.stream()
                    .skip(floor + 1L)
                    .flatMap(List::stream)
                    .map(name -> prefix + name)
                    .toArray(String[]::new);
            if (above.length > 0) {
                noClasses()
                        .that()
                        .resideInAnyPackage(floors.get(floor).stream()
                                .map(name -> prefix + name)
                                .toArray(String[]::new))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(above)
                        .check(CLASSES);
            }
        }
    }

    @Test
    void onlyTheStateChangesItsFields() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..server.engine.state..")
                .should()
                .setFieldWhere(JavaFieldAccess.Predicates.target(
                        HasOwner.Predicates.With.owner(resideInAnyPackage("..server.engine.state.."))))
                .check(CLASSES);
    }

    @Test
    void theInsideOfAPartitionIsItsOwn() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..server.partition..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "..server.partition.admit",
                        "..server.partition.read",
                        "..server.partition.execute",
                        "..server.partition.flush",
                        "..server.partition.log")
                .check(CLASSES);
    }
}
