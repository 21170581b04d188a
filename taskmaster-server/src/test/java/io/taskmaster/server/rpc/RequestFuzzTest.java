package io.taskmaster.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random requests from a seed: each is mapped, or refused as the caller's fault; nothing else ever comes out. */
final class RequestFuzzTest {

    private static final int SEEDS = 20_000;
    private static final int MAX_DEPTH = 4;

    private static final List<Message> REQUESTS = List.of(
            UpdateRequest.getDefaultInstance(),
            LeaseRequest.getDefaultInstance(),
            ListRequest.getDefaultInstance(),
            DescribeRequest.getDefaultInstance(),
            PeekRequest.getDefaultInstance(),
            DeleteRequest.getDefaultInstance());

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            ".*",
            "(",
            "x{1000}{1000}",
            "((a{99}){99}){99}",
            "[",
            "\\",
            "a**",
            "{",
            "}",
            "é",
            "\uD83D\uDE00",
            "(?P<n>",
            "x{2,1}",
            "\\pN{3}",
            "AQAAAAA",
            "page",
            "q".repeat(2000));

    @Test
    void randomRequestsAreMappedOrRefusedAsTheCallersFault() {
        Map<Advice, Integer> refusals = new EnumMap<>(Advice.class);
        int mapped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            Message request = random(REQUESTS.get(random.nextInt(REQUESTS.size())), random, 0);
            try {
                assertThat(Requests.map(request)).isNotNull();
                mapped++;
            } catch (TaskMasterException e) {
                refusals.merge(e.code().advice(), 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + request, e);
            }
        }
        assertThat(mapped).as("requests that were mapped").isGreaterThan(SEEDS / 20);
        assertThat(refusals).containsOnlyKeys(Advice.CALLER_FAULT, Advice.NOT_SERVED);
    }

    private static Message random(Message prototype, SplittableRandom random, int depth) {
        Message.Builder message = prototype.newBuilderForType();
        for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
            if (random.nextInt(3) != 0) {
                continue;
            }
            if (field.isMapField()) {
                continue;
            }
            if (field.isRepeated()) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    message.addRepeatedField(field, value(message, field, random, depth));
                }
            } else {
                message.setField(field, value(message, field, random, depth));
            }
        }
        return message.build();
    }

    private static Object value(Message.Builder message, FieldDescriptor field, SplittableRandom random, int depth) {
        return switch (field.getJavaType()) {
            case BYTE_STRING -> bytes(random);
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(200);
            case LONG -> random.nextInt(3) == 0 ? random.nextLong() : random.nextLong(200);
            case ENUM -> anyEnum(field, random);
            case MESSAGE ->
                depth > MAX_DEPTH
                        ? message.newBuilderForField(field).build()
                        : random(message.newBuilderForField(field).build(), random, depth + 1);
            case FLOAT, DOUBLE -> throw new AssertionError("no such field in a request: " + field);
        };
    }

    private static EnumValueDescriptor anyEnum(FieldDescriptor field, SplittableRandom random) {
        // Mostly the first value: the others are refused as not served, and would hide what comes after them.
        int number = random.nextInt(4) == 0 ? random.nextInt(6) : 0;
        return field.getEnumType().findValueByNumberCreatingIfUnknown(number);
    }

    private static ByteString bytes(SplittableRandom random) {
        int length = random.nextInt(20) == 0 ? random.nextInt(6000) : random.nextInt(12);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }
}
