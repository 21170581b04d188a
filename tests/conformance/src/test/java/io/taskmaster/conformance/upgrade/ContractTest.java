package io.taskmaster.conformance.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import io.taskmaster.v1.ArchiveRecord;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the contract and the archive records only grow. The folder {@code contract} has the descriptor sets of
 * earlier states, as written by {@code protoc --descriptor_set_out}, each named after its day.
 */
final class ContractTest {

    private static final Path EARLIER = Path.of("src/test/resources/contract");

    private static final FileDescriptorProto CONTRACT =
            UpdateRequest.getDescriptor().getFile().toProto();

    private static final Map<String, FileDescriptorProto> TODAY = Map.of(
            "taskmaster.proto",
            CONTRACT,
            "archive.proto",
            ArchiveRecord.getDescriptor().getFile().toProto());

    @Test
    void everyFactOfEveryEarlierContractIsStillTrue() throws IOException {
        List<Path> earlier;
        try (Stream<Path> files = Files.list(EARLIER)) {
            earlier = files.sorted().toList();
        }
        assertThat(earlier).hasSizeGreaterThanOrEqualTo(2);
        for (Path file : earlier) {
            for (FileDescriptorProto before :
                    FileDescriptorSet.parseFrom(Files.readAllBytes(file)).getFileList()) {
                FileDescriptorProto now = Objects.requireNonNull(TODAY.get(before.getName()), before.getName());

                assertThat(ContractFacts.of(now))
                        .as("%s, compared with %s", before.getName(), file)
                        .containsAll(ContractFacts.of(before));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("breakingChanges")
    void aChangeThatBreaksClientsIsFound(Consumer<FileDescriptorProto.Builder> change) {
        Set<String> facts = ContractFacts.of(CONTRACT);
        FileDescriptorProto.Builder changed = CONTRACT.toBuilder();

        change.accept(changed);

        assertThat(ContractFacts.of(changed.build()).containsAll(facts)).isFalse();
    }

    static Stream<Arguments> breakingChanges() {
        return Stream.of(
                change("a message is gone", file -> file.removeMessageType(0)),
                change("a field is gone", file -> file.getMessageTypeBuilder(0).removeField(1)),
                change(
                        "a field has another number",
                        file -> file.getMessageTypeBuilder(0).getFieldBuilder(0).setNumber(99)),
                change(
                        "a field has another name",
                        file -> file.getMessageTypeBuilder(0).getFieldBuilder(0).setName("renamed")),
                change(
                        "a field has another type",
                        file -> file.getMessageTypeBuilder(0)
                                .getFieldBuilder(0)
                                .setType(FieldDescriptorProto.Type.TYPE_STRING)),
                change(
                        "a field is in a oneof",
                        file -> file.getMessageTypeBuilder(0)
                                .addOneofDecl(OneofDescriptorProto.newBuilder().setName("kind"))
                                .getFieldBuilder(0)
                                .setOneofIndex(0)),
                change(
                        "an enum value has another number",
                        file -> file.getEnumTypeBuilder(0).getValueBuilder(1).setNumber(99)),
                change(
                        "an enum value is gone",
                        file -> file.getEnumTypeBuilder(0).removeValue(1)),
                change("a method is gone", file -> file.getServiceBuilder(0).removeMethod(0)),
                change(
                        "a method has another reply",
                        file -> file.getServiceBuilder(0)
                                .getMethodBuilder(0)
                                .setOutputType(".taskmaster.v1.ListReply")),
                change("the package has another name", file -> file.setPackage("taskmaster.v2")));
    }

    private static Arguments change(String name, Consumer<FileDescriptorProto.Builder> change) {
        return argumentSet(name, change);
    }

    @Test
    void anAdditionIsAllowed() {
        FileDescriptorProto.Builder grown = CONTRACT.toBuilder();
        grown.getMessageTypeBuilder(0).addFieldBuilder().setName("added").setNumber(99);
        grown.getEnumTypeBuilder(0).addValueBuilder().setName("ADDED").setNumber(99);
        grown.getServiceBuilder(0).addMethodBuilder().setName("Added");
        grown.addMessageTypeBuilder().setName("Added");

        assertThat(ContractFacts.of(grown.build())).containsAll(ContractFacts.of(CONTRACT));
    }
}
