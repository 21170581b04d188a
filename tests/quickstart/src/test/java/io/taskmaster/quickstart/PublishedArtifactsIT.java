package io.taskmaster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Tests of the poms and jars that are published. */
final class PublishedArtifactsIT {

    static List<String> artifacts() {
        List<String> artifacts = new ArrayList<>(Published.LIBRARIES);
        artifacts.add(Published.BOM);
        return artifacts;
    }

    static List<String> libraries() {
        return Published.LIBRARIES;
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void aPomStandsAlone(String artifact) throws Exception {
        Element pom = pom(artifact);

        assertThat(children(pom, "parent")).isEmpty();
        assertThat(text(pom, "groupId")).contains(Published.GROUP);
        assertThat(text(pom, "artifactId")).contains(artifact);
        assertThat(text(pom, "version")).contains(Published.VERSION);
        assertThat(children(pom, "build")).isEmpty();
        assertThat(children(pom, "profiles")).isEmpty();
    }

    /** A public repository requires these elements. */
    @ParameterizedTest
    @MethodSource("artifacts")
    void aPomSaysWhatItIsAndWhoseItIs(String artifact) throws Exception {
        Element pom = pom(artifact);

        assertThat(text(pom, "name")).isPresent();
        assertThat(text(pom, "description")).isPresent();
        assertThat(text(pom, "url")).contains("https://taskmaster.io");
        assertThat(text(child(child(pom, "licenses"), "license"), "name")).contains("Apache-2.0");
        assertThat(text(child(child(pom, "developers"), "developer"), "name")).isPresent();
        Element scm = child(pom, "scm");
        assertThat(text(scm, "url")).contains("https://taskmaster.io/taskmaster");
        assertThat(text(scm, "connection")).contains("scm:git:https://taskmaster.io/taskmaster.git");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aPomHasNoDependencyOfTestsAndEveryVersion(String artifact) throws Exception {
        List<Element> dependencies = children(child(pom(artifact), "dependencies"), "dependency");

        assertThat(dependencies).isNotEmpty();
        for (Element dependency : dependencies) {
            String name = text(dependency, "artifactId").orElse("");
            assertThat(text(dependency, "version")).as(name).isPresent();
            assertThat(text(dependency, "version").orElse("")).as(name).doesNotContain("$");
            assertThat(text(dependency, "scope").orElse("compile")).as(name).isNotEqualTo("test");
            if (text(dependency, "groupId").orElse("").equals(Published.GROUP)) {
                assertThat(Published.LIBRARIES).contains(name);
                assertThat(text(dependency, "version")).contains(Published.VERSION);
            }
        }
    }

    @Test
    void theBomManagesEveryLibraryAndTheStoreOfTheServer() throws Exception {
        Element bom = pom(Published.BOM);
        assertThat(children(bom, "dependencies")).isEmpty();
        Map<String, String> managed = versions(child(bom, "dependencyManagement"));

        for (String library : Published.LIBRARIES) {
            assertThat(managed).containsEntry(library, "${project.version}");
        }
        Map<String, String> ofServer = versions(pom("taskmaster-server"));
        assertThat(managed)
                .hasSize(Published.LIBRARIES.size() + 1)
                .containsEntry("rocksdbjni", ofServer.get("rocksdbjni"));
    }

    /** Returns the versions of the dependencies in an element, by artifact. */
    private static Map<String, String> versions(Element parent) {
        Map<String, String> versions = new HashMap<>();
        for (Element dependency : children(child(parent, "dependencies"), "dependency")) {
            versions.put(
                    text(dependency, "artifactId").orElse(""),
                    text(dependency, "version").orElse(""));
        }
        return versions;
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aJarSaysItsVersionAndItsModule(String artifact) throws Exception {
        try (JarFile jar = new JarFile(Published.jar(artifact).toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Implementation-Version")).isEqualTo(Published.VERSION);
            assertThat(manifest.getValue("Automatic-Module-Name"))
                    .isEqualTo(artifact.replace("taskmaster-", "io.taskmaster."));
        }
    }

    /** Modules of the JVM may not share a package. */
    @Test
    void noPackageIsInTwoJars() throws IOException {
        Map<String, String> owners = new HashMap<>();
        List<String> shared = new ArrayList<>();
        for (String library : Published.LIBRARIES) {
            try (JarFile jar = new JarFile(Published.jar(library).toFile())) {
                jar.stream()
                        .filter(entry -> entry.getName().endsWith(".class"))
                        .map(entry ->
                                entry.getName().substring(0, entry.getName().lastIndexOf("/")))
                        .distinct()
                        .forEach(folder -> {
                            String owner = owners.putIfAbsent(folder, library);
                            if (owner != null) {
                                shared.add(folder + ": " + owner + ", " + library);
                            }
                        });
            }
        }
        assertThat(owners).hasSizeGreaterThan(50);
        assertThat(shared).isEmpty();
    }

    private static Element pom(String artifact) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Published.pom(artifact).toFile());
        return document.getDocumentElement();
    }

    private static Element child(Element parent, String name) {
        List<Element> found = children(parent, name);
        assertThat(found).as(name).hasSize(1);
        return found.getFirst();
    }

    private static List<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE
                        && node.getNodeName().equals(name))
                .map(Element.class::cast)
                .toList();
    }

    private static Optional<String> text(Element parent, String name) {
        return children(parent, name).stream()
                .map(Node::getTextContent)
                .map(String::strip)
                .findFirst();
    }
}
