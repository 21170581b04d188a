package io.taskmaster.proxy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueryReaderTest {

    @Test
    void parametersAreTheFieldsOfTheRequestAndOfItsSelector() {
        ListRequest list = QueryReader.read(
                "group=g&names=a+b&names=c%20%C3%A9&name_re=.*&all_groups=true&min_tasks=7&max_queues=2&page_token=p",
                ListRequest.getDefaultInstance());

        assertThat(list.getQueues().getGroup().toStringUtf8()).isEqualTo("g");
        assertThat(list.getQueues().getNamesList().stream().map(ByteString::toStringUtf8))
                .containsExactly("a b", "c é");
        assertThat(list.getQueues().getNameRe()).isEqualTo(".*");
        assertThat(list.getQueues().getAllGroups()).isTrue();
        assertThat(list.getMinTasks()).isEqualTo(7);
        assertThat(list.getMaxQueues()).isEqualTo(2);
        assertThat(list.getPageToken()).isEqualTo("p");
    }

    @Test
    void bytesAreBase64InEitherAlphabet() {
        PeekRequest peek =
                QueryReader.read("queue_base64=_w&from_pid_base64=%2Fw%3D%3D", PeekRequest.getDefaultInstance());

        assertThat(peek.getQueue()).isEqualTo(peek.getFromPid()).isEqualTo(ByteString.copyFrom(new byte[] {(byte) 0xff
        }));
    }

    @Test
    void noQueryIsAnEmptyRequest() {
        assertThat(QueryReader.read("", PeekRequest.getDefaultInstance())).isEqualTo(PeekRequest.getDefaultInstance());
    }

    @ParameterizedTest
    @CsvSource({
        "que=a, que: unknown parameter",
        "=a, query: unknown parameter",
        "queue=a&queue=a, queue: given together with queue",
        "queue=a&queue_base64=YQ, queue_base64: given together with queue",
        "queue_base64=*, queue_base64: *",
        "queue=%, two hexadecimal digits",
        "queue=%4, two hexadecimal digits",
        "queue=%zz, two hexadecimal digits",
        "queue=%ff, percent-encoded UTF-8",
        "max_tasks=many, max_tasks: many",
        "max_tasks, max_tasks: ",
        "max_tasks=-1, max_tasks: -1",
        "with_data=yes, with_data: yes",
        "queue=a&, query: unknown parameter",
    })
    void whatIsWrongIsSaidByItsName(String query, String message) {
        assertThatThrownBy(() -> QueryReader.read(query, PeekRequest.getDefaultInstance()))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD))
                .hasMessageContaining(message);
    }

    @Test
    void aListIsInOneSpelling() {
        assertThatThrownBy(() -> QueryReader.read("names=a&names_base64=YQ", ListRequest.getDefaultInstance()))
                .hasMessageContaining("names_base64: given together with names");
    }
}
