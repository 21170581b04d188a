package io.taskmaster.harness.hbase;

import io.taskmaster.harness.process.JvmCommand;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The files and command lines with which the processes of an HBase are started: the folder with the site files, and a
 * command for each process. Immutable.
 */
record HBaseSetup(HBasePlan plan, Ports ports) {

    private static final String LOG_SETTINGS = "log4j.properties";
    private static final int LARGE_HEAP_MEGABYTES = 1024;

    /** The packages of the JDK that HBase and Hadoop access by reflection. */
    private static final List<String> OPENED =
            List.of("java.lang", "java.lang.reflect", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch");

    HBaseFolder folder() {
        return new HBaseFolder(plan.folder());
    }

    List<Member> members() {
        return Member.all(plan.regionServers());
    }

    /** Creates the folder, if it does not exist yet, and writes all settings. */
    void write() {
        HBaseFolder folder = folder();
        HBaseClusterSettings settings = new HBaseClusterSettings(plan, ports);
        try {
            folder.create();
            SiteFile.write(folder.conf().resolve("core-site.xml"), settings.core(folder));
            SiteFile.write(folder.conf().resolve("hdfs-site.xml"), settings.hdfs(folder));
            SiteFile.write(folder.conf().resolve("hbase-site.xml"), settings.hbase(folder));
            copyLogSettings(folder.conf().resolve(LOG_SETTINGS));
            // NameNode and DataNode start a small web server, which needs a folder of pages on the class path.
            Files.createDirectories(folder.conf().resolve("webapps/hdfs"));
            Files.createDirectories(folder.conf().resolve("webapps/datanode"));
            ports.save(folder.ports());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copyLogSettings(Path file) throws IOException {
        try (InputStream settings = Objects.requireNonNull(HBaseSetup.class.getResourceAsStream(LOG_SETTINGS))) {
            Files.copy(settings, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Returns the command of a member. */
    JvmCommand command(Member member) {
        List<String> arguments = new ArrayList<>();
        if (member.daemonRole() == DaemonRole.REGION_SERVER) {
            arguments.add("-Dhbase.regionserver.port=" + ports.of(member));
        }
        arguments.addAll(member.daemonRole().arguments());
        return command(member.daemonRole().mainClass(), arguments, flags(member.daemonRole()));
    }

    /**
     * Returns the flags of a role's JVM. Small processes start fast. If region servers are large, they and the data
     * node are tuned for throughput.
     */
    private List<String> flags(DaemonRole daemonRole) {
        String heap = "-Xmx" + plan.heapOf(daemonRole) + "m";
        boolean isLarge = plan.heapOf(DaemonRole.REGION_SERVER) >= LARGE_HEAP_MEGABYTES;
        return isLarge && daemonRole.isHot()
                ? List.of(heap, daemonRole == DaemonRole.REGION_SERVER ? "-XX:+UseG1GC" : "-XX:+UseSerialGC")
                : List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    /** Returns the command that formats an empty file system, whatever was there. */
    JvmCommand format() {
        return small(DaemonRole.NAME_NODE.mainClass(), List.of("-format", "-force", "-nonInteractive"));
    }

    /**
     * Returns the command that ends with status 0 as soon as a table can be created and written, and every existing one
     * can be read.
     */
    JvmCommand probe(Duration limit) {
        return small(
                        Probe.class.getName(),
                        List.of(Integer.toString(plan.regionServers()), Long.toString(limit.toMillis())))
                .withFlags(List.of("-Dhbase.root.logger=ERROR,out"));
    }

    private JvmCommand small(String mainClass, List<String> arguments) {
        return command(mainClass, arguments, List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    }

    private JvmCommand command(String mainClass, List<String> arguments, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        OPENED.forEach(name -> all.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        all.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
        all.add("-XX:+ExitOnOutOfMemoryError");
        all.add("-XX:ErrorFile=" + folder().logs().resolve("crash-%p.log"));
        all.add("-Djava.io.tmpdir=" + folder().temporary());
        all.add("-Djava.net.preferIPv4Stack=true");
        return new JvmCommand(mainClass, arguments, all, classPath(), Map.of());
    }

    private String classPath() {
        try (Stream<Path> files = Files.list(plan.jars())) {
            List<String> jars = files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .toList();
            return folder().conf() + File.pathSeparator + String.join(File.pathSeparator, jars);
        } catch (IOException e) {
            throw new HBaseException(
                    "jars: %s cannot be read (expected: the folder of HBase's jars, which a build of the module dist/hbase makes)"
                            .formatted(plan.jars()),
                    e);
        }
    }
}
