package io.taskmaster.archive;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.ArchiveRecord;
import io.taskmaster.wire.TimeMapper;
import java.util.Optional;

/**
 * The mapping of entries to records and back. An invalid record causes an {@link IllegalArgumentException}, or an
 * exception of {@code java.time}. Stateless.
 */
final class RecordMapper {

    private RecordMapper() {}

    static ArchiveRecord record(ArchiveEntry entry) {
        return switch (entry) {
            case ArchiveEntry.Queue queue ->
                ArchiveRecord.newBuilder().setQueue(message(queue)).build();
            case ArchiveEntry.Task task ->
                ArchiveRecord.newBuilder().setTask(message(task)).build();
        };
    }

    private static ArchiveRecord.Queue message(ArchiveEntry.Queue queue) {
        return ArchiveRecord.Queue.newBuilder()
                .setGroup(bytes(queue.key().group()))
                .setName(bytes(queue.key().name()))
                .setOptions(io.taskmaster.v1.QueueOptions.newBuilder()
                        .setPaused(queue.options().paused())
                        .setMaxLeased(queue.options().maxLeased())
                        .setWeight(queue.options().weight()))
                .build();
    }

    private static ArchiveRecord.Task message(ArchiveEntry.Task task) {
        ArchiveRecord.Task.Builder message = ArchiveRecord.Task.newBuilder()
                .setPid(bytes(task.pid()))
                .setData(bytes(task.data()))
                .putAllHeaders(task.headers())
                .setEnqueued(TimeMapper.toProto(task.enqueued()))
                .setAttempts(task.attempts());
        task.notBefore().map(TimeMapper::toProto).ifPresent(message::setNotBefore);
        return message.build();
    }

    static ArchiveEntry entry(ArchiveRecord.Queue queue) {
        return new ArchiveEntry.Queue(
                new QueueKey(
                        GroupName.wrap(queue.getGroup().toByteArray()),
                        QueueName.wrap(queue.getName().toByteArray())),
                new QueueOptions(
                        queue.getOptions().getPaused(),
                        queue.getOptions().getMaxLeased(),
                        queue.getOptions().getWeight()));
    }

    static ArchiveEntry entry(ArchiveRecord.Task task) {
        return new ArchiveEntry.Task(
                Pid.wrap(task.getPid().toByteArray()),
                Bytes.wrap(task.getData().toByteArray()),
                task.getHeadersMap(),
                task.hasNotBefore() ? Optional.of(TimeMapper.toInstant(task.getNotBefore())) : Optional.empty(),
                TimeMapper.toInstant(task.getEnqueued()),
                task.getAttempts());
    }

    /** Wraps bytes without a copy, since neither side changes them. */
    private static ByteString bytes(ByteSequence bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes.unsafeArray());
    }
}
