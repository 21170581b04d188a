package io.taskmaster.conformance.upgrade;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.Set;
import java.util.TreeSet;

/**
 * The facts of a contract that its clients depend on: a line for each message, field, enum value and method. A contract
 * that only grows keeps all of its facts. Single-threaded: owned by its caller.
 */
final class ContractFacts {

    private final Set<String> facts = new TreeSet<>();

    private ContractFacts() {}

    /** Returns the facts of a file of the contract. */
    static Set<String> of(FileDescriptorProto file) {
        ContractFacts all = new ContractFacts();
        String scope = "." + file.getPackage();
        all.facts.add("package " + file.getPackage());
        all.facts.add("Java package " + file.getOptions().getJavaPackage());
        file.getMessageTypeList().forEach(message -> all.addMessage(scope, message));
        file.getEnumTypeList().forEach(type -> all.addEnum(scope, type));
        file.getServiceList().forEach(service -> all.addService(scope, service));
        return all.facts;
    }

    private void addMessage(String scope, DescriptorProto message) {
        String name = scope + "." + message.getName();
        facts.add("message " + name + (message.getOptions().getMapEntry() ? " of a map" : ""));
        message.getFieldList().forEach(field -> facts.add("field " + name + ": " + field(message, field)));
        message.getNestedTypeList().forEach(nested -> addMessage(name, nested));
        message.getEnumTypeList().forEach(nested -> addEnum(name, nested));
    }

    private static String field(DescriptorProto message, FieldDescriptorProto field) {
        String presence = field.getProto3Optional()
                ? "optional "
                : field.hasOneofIndex()
                        ? "oneof " + message.getOneofDecl(field.getOneofIndex()).getName() + " "
                        : "";
        return "%s%s %s %s %s = %d"
                .formatted(
                        presence,
                        field.getLabel(),
                        field.getType(),
                        field.getTypeName(),
                        field.getName(),
                        field.getNumber());
    }

    private void addEnum(String scope, EnumDescriptorProto type) {
        String name = scope + "." + type.getName();
        type.getValueList()
                .forEach(value -> facts.add("value " + name + ": " + value.getName() + " = " + value.getNumber()));
    }

    private void addService(String scope, ServiceDescriptorProto service) {
        String name = scope + "." + service.getName();
        service.getMethodList().forEach(method -> facts.add("method " + name + ": " + method(method)));
    }

    private static String method(MethodDescriptorProto method) {
        return "%s(%s%s) returns (%s%s)"
                .formatted(
                        method.getName(),
                        method.getClientStreaming() ? "stream " : "",
                        method.getInputType(),
                        method.getServerStreaming() ? "stream " : "",
                        method.getOutputType());
    }
}
