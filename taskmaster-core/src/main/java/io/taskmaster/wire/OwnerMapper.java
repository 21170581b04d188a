package io.taskmaster.wire;

import com.google.rpc.ErrorInfo;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.PartitionOwner;

/**
 * The mapping of a partition's owner to the metadata of the {@code ErrorInfo} of {@link ErrorCode#NOT_OWNER}, and back.
 * Stateless.
 */
final class OwnerMapper {

    private static final String PARTITION = "partition";
    private static final String MAP_VERSION = "map_version";
    private static final String OWNER = "owner";
    private static final String ADDRESS = "address";

    private OwnerMapper() {}

    static ErrorInfo toInfo(PartitionOwner owner) {
        return ErrorMapper.infoOf(ErrorCode.NOT_OWNER)
                .putMetadata(PARTITION, String.valueOf(owner.partition()))
                .putMetadata(MAP_VERSION, String.valueOf(owner.mapVersion()))
                .putMetadata(OWNER, owner.owner())
                .putMetadata(ADDRESS, owner.address())
                .build();
    }

    /** Maps the metadata. The owner is a hint, so whatever of it cannot be read counts as not known. */
    static PartitionOwner fromInfo(ErrorInfo info) {
        int partition = (int) Math.min(number(info, PARTITION), Integer.MAX_VALUE);
        return new PartitionOwner(
                partition,
                number(info, MAP_VERSION),
                info.getMetadataOrDefault(OWNER, ""),
                info.getMetadataOrDefault(ADDRESS, ""));
    }

    private static long number(ErrorInfo info, String key) {
        try {
            return Math.max(0, Long.parseLong(info.getMetadataOrDefault(key, "0")));
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }
}
