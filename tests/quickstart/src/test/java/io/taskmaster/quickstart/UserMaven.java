package io.taskmaster.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Maven of a user, whose local repository has never seen an artifact of ours. Other libraries and plugins come from
 * the local repository of the build that runs the tests, and from Maven Central where that lacks them and the build is
 * not offline.
 */
final class UserMaven {

    private static final String HOME = System.getProperty("taskmaster.maven.home", "");
    private static final String OF_BUILD = System.getProperty("taskmaster.maven.repository", "");
    /** Whether the build that runs the tests is offline. */
    static final boolean OFFLINE = "offline=true".equals(System.getProperty("taskmaster.maven.network"));

    private final Path settings;
    private final Path taskmaster;

    private UserMaven(Path settings, Path taskmaster) {
        this.settings = settings;
        this.taskmaster = taskmaster;
    }

    /** @param taskmaster the repository that has our artifacts */
    static UserMaven with(Path taskmaster) throws IOException {
        Path local = Path.of("target/local").toAbsolutePath();
        Folder.delete(local.resolve("io/taskmaster"));
        Path settings = Files.writeString(Path.of("target/settings.xml").toAbsolutePath(), """
                <settings>
                  <localRepository>%s</localRepository>
                  <offline>%s</offline>
                  <profiles>
                    <profile>
                      <id>build</id>
                      <repositories>%s</repositories>
                      <pluginRepositories>%s</pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles>
                    <activeProfile>build</activeProfile>
                  </activeProfiles>
                </settings>
                """.formatted(
                        local, OFFLINE, ofBuild("repository"), ofBuild("pluginRepository")));
        return new UserMaven(settings, taskmaster);
    }

    private static String ofBuild(String element) {
        return """
                <%1$s>
                  <id>build</id>
                  <url>%2$s</url>
                  <releases><checksumPolicy>ignore</checksumPolicy></releases>
                  <snapshots><enabled>false</enabled></snapshots>
                </%1$s>
                """.formatted(element, Path.of(OF_BUILD).toUri());
    }

    /** Runs Maven in the folder of a project, and returns what it printed. */
    String run(Path project, String... arguments) throws IOException, InterruptedException {
        // The root of a project of its own: the options of the build around it are not for it.
        Files.createDirectories(project.resolve(".mvn"));
        List<String> command = new ArrayList<>(List.of(
                HOME + "/bin/mvn",
                "--batch-mode",
                "--no-transfer-progress",
                // What an earlier run did not find may be there by now.
                "--update-snapshots",
                "--settings=" + settings,
                // Files can be read without a network.
                "-Daether.offline.protocols=file",
                "-Dtaskmaster.repository=" + taskmaster.toUri()));
        command.addAll(List.of(arguments));
        return Program.run(project, command);
    }
}
