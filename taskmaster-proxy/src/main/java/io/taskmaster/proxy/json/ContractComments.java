package io.taskmaster.proxy.json;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.GenericDescriptor;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Comments of the contract, which are its specification. Stubs do not keep them; the build writes them into a
 * descriptor set beside the stubs. Immutable.
 */
final class ContractComments {

    private static final String RESOURCE = "/taskmaster.protobin";

    private final Map<List<Integer>, String> byPath = new HashMap<>();
    private final Map<String, String> byName = new HashMap<>();

    private ContractComments(FileDescriptorSet contract) {
        for (FileDescriptorProto file : contract.getFileList()) {
            byPath.clear();
            for (Location location : file.getSourceCodeInfo().getLocationList()) {
                byPath.put(location.getPathList(), text(location));
            }
            for (int i = 0; i < file.getMessageTypeCount(); i++) {
                message(
                        file.getMessageType(i),
                        file.getPackage(),
                        List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, i));
            }
            for (int i = 0; i < file.getEnumTypeCount(); i++) {
                enumeration(
                        file.getEnumType(i), file.getPackage(), List.of(FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, i));
            }
            for (int i = 0; i < file.getServiceCount(); i++) {
                service(file.getService(i), file.getPackage(), List.of(FileDescriptorProto.SERVICE_FIELD_NUMBER, i));
            }
        }
    }

    static ContractComments load() {
        try (InputStream resource = TaskMasterGrpc.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(RESOURCE + ": not on the class path (expected: beside the stubs)");
            }
            return new ContractComments(FileDescriptorSet.parseFrom(resource));
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE, e);
        }
    }

    /** Returns the comment of a message, a field, an enum or one of its values. */
    Optional<String> of(GenericDescriptor described) {
        return of(described.getFullName());
    }

    /**
     * Returns the comment of an element.
     *
     * @param fullName with its package; of a method with a dot before the method
     */
    Optional<String> of(String fullName) {
        return Optional.ofNullable(byName.get(fullName)).filter(text -> !text.isEmpty());
    }

    private void message(DescriptorProto message, String scope, List<Integer> path) {
        String name = put(scope, message.getName(), path);
        for (int i = 0; i < message.getFieldCount(); i++) {
            put(name, message.getField(i).getName(), under(path, DescriptorProto.FIELD_FIELD_NUMBER, i));
        }
        for (int i = 0; i < message.getNestedTypeCount(); i++) {
            message(message.getNestedType(i), name, under(path, DescriptorProto.NESTED_TYPE_FIELD_NUMBER, i));
        }
        for (int i = 0; i < message.getEnumTypeCount(); i++) {
            enumeration(message.getEnumType(i), name, under(path, DescriptorProto.ENUM_TYPE_FIELD_NUMBER, i));
        }
    }

    private void enumeration(EnumDescriptorProto type, String scope, List<Integer> path) {
        String name = put(scope, type.getName(), path);
        for (int i = 0; i < type.getValueCount(); i++) {
            put(name, type.getValue(i).getName(), under(path, EnumDescriptorProto.VALUE_FIELD_NUMBER, i));
        }
    }

    private void service(ServiceDescriptorProto service, String scope, List<Integer> path) {
        String name = put(scope, service.getName(), path);
        for (int i = 0; i < service.getMethodCount(); i++) {
            put(name, service.getMethod(i).getName(), under(path, ServiceDescriptorProto.METHOD_FIELD_NUMBER, i));
        }
    }

    private String put(String scope, String name, List<Integer> path) {
        String fullName = scope + "." + name;
        byName.put(fullName, byPath.getOrDefault(path, ""));
        return fullName;
    }

    private static List<Integer> under(List<Integer> path, int field, int index) {
        List<Integer> under = new ArrayList<>(path);
        under.add(field);
        under.add(index);
        return under;
    }

    /** Returns the comments before and behind an element, on one line. */
    private static String text(Location location) {
        return Stream.of(location.getLeadingComments(), location.getTrailingComments())
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
