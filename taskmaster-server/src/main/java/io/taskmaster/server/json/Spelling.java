package io.taskmaster.server.json;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A name under which a field is found in JSON. Immutable.
 *
 * @param base64 whether the value is bytes in Base64; bytes are text otherwise
 */
record Spelling(String name, FieldDescriptor field, boolean base64) {}
