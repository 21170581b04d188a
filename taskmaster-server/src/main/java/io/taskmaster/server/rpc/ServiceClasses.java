package io.taskmaster.server.rpc;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.v1.ServiceClass;

/** Service classes: only interactive work is served so far. */
final class ServiceClasses {

    private ServiceClasses() {}

    static void requireInteractive(ServiceClass serviceClass) {
        switch (serviceClass) {
            case INTERACTIVE -> {}
            case BULK -> throw Fields.notServed("service_class BULK");
            case UNRECOGNIZED ->
                throw Fields.invalid(ErrorCode.INVALID_FIELD, "service_class", "unknown value", "INTERACTIVE or BULK");
        }
    }
}
