package io.taskmaster.proxy.rpc.mapping;

import com.google.protobuf.MessageLite;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;

/** Service classes of requests. Thread-safe: stateless. */
public final class ServiceClasses {

    private ServiceClasses() {}

    static void check(ServiceClass serviceClass) {
        if (serviceClass == ServiceClass.UNRECOGNIZED) {
            throw Fields.invalid(ErrorCode.INVALID_FIELD, "service_class", "unknown value", "INTERACTIVE or BULK");
        }
    }

    /** Returns whether a request yields to interactive work. A batch does if all of its operations do. */
    public static boolean isBulk(MessageLite request) {
        return switch (request) {
            case UpdateRequest update -> update.getServiceClass() == ServiceClass.BULK;
            case LeaseRequest lease -> lease.getServiceClass() == ServiceClass.BULK;
            case BatchRequest batch -> batch.getOperationsCount() > 0 && isBulk(batch);
            default -> false;
        };
    }

    private static boolean isBulk(BatchRequest batch) {
        for (BatchRequest.Operation operation : batch.getOperationsList()) {
            if (!isBulk(operation)) {
                return false;
            }
        }
        return true;
    }

    public static boolean isBulk(BatchRequest.Operation operation) {
        return switch (operation.getKindCase()) {
            case UPDATE -> isBulk(operation.getUpdate());
            case LEASE -> isBulk(operation.getLease());
            case KIND_NOT_SET -> true;
        };
    }
}
