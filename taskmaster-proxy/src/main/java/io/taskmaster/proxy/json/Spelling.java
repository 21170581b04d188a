package io.taskmaster.proxy.json;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A name of a field in JSON. Immutable.
 *
 * @param base64 whether the value is bytes in Base64; bytes are text otherwise
 */
record Spelling(String name, FieldDescriptor field, boolean base64) {}
