package io.taskmaster.server.cluster;

import static io.taskmaster.server.Golden.golden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.MapEntry;
import io.taskmaster.placement.NodeCapacity;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.placement.PartitionLoad;
import io.taskmaster.placement.PartitionMap;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.fuzz.Decoder;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests of the formats of the cluster's cells: golden files, later formats, and bytes that no version wrote. */
final class ClusterFormatsTest {

    private static final NodeRef NODE = new NodeRef("nöde-1", 0x8000_0000_0000_0001L, "10.0.0.1:7400");
    private static final NodeRef OTHER = new NodeRef("node-2", 2, "10.0.0.2:7400");
    private static final MapHead HEAD = new MapHead(300, 0x89ab_cdef, 2);
    private static final PartitionMap MAP = new PartitionMap(
            300,
            List.of(
                    new MapEntry(Optional.of(NODE), Optional.empty(), 7),
                    new MapEntry(Optional.of(NODE), Optional.of(OTHER), 300)));
    private static final MemberRecord MEMBER = new MemberRecord(
            new MemberProfile(
                    NODE,
                    "10.0.0.1:8080",
                    new FormatLevels(1, 300),
                    "1.2.3-ä",
                    new NodeCapacity(1.5, 1_000, Long.MAX_VALUE)),
            State.LEAVING,
            1L << 40);
    private static final LoadReport LOADS = new LoadReport(
            NODE,
            400,
            List.of(
                    new PartitionLoad(0, NODE, 0.25, Duration.ofMinutes(1), 5, 1L << 33),
                    new PartitionLoad(1_023, NODE, 0, Duration.ZERO, 0, 0)));

    private static final Map<String, Function<Bytes, Object>> DECODERS = Map.of(
            "map-head",
            MapCodec::decodeHead,
            "map-body",
            MapCodec::decodeBody,
            "member",
            bytes -> MemberCodec.decode("nöde-1", bytes),
            "loads",
            bytes -> LoadCodec.decode("nöde-1", bytes));

    @Test
    void headOfTheMapKeepsItsFormat() {
        assertThat(MapCodec.encodeHead(HEAD)).isEqualTo(golden("map-head"));
        assertThat(MapCodec.decodeHead(golden("map-head"))).isEqualTo(HEAD);
    }

    @Test
    void bodyOfTheMapKeepsItsFormat() {
        assertThat(MapCodec.encodeBody(MAP)).isEqualTo(golden("map-body"));
        assertThat(MapCodec.decodeBody(golden("map-body"))).isEqualTo(MAP);
        assertThat(MapHead.of(300, golden("map-body"), 1).checksum()).isEqualTo(0xe6e2_3e1a);
    }

    @Test
    void memberKeepsItsFormat() {
        assertThat(MemberCodec.encode(MEMBER)).isEqualTo(golden("member"));
        assertThat(MemberCodec.decode("nöde-1", golden("member"))).isEqualTo(MEMBER);
    }

    @Test
    void loadsKeepTheirFormat() {
        assertThat(LoadCodec.encode(LOADS)).isEqualTo(golden("loads"));
        assertThat(LoadCodec.decode("nöde-1", golden("loads"))).isEqualTo(LOADS);
    }

    @Test
    void cellsKeepTheirPlaces() {
        assertThat(ClusterRows.mapHead().row()).isEqualTo(golden("map-head-key"));
        assertThat(ClusterRows.mapBody(300).row()).isEqualTo(golden("map-body-key"));
        assertThat(ClusterRows.member("nöde-1").row()).isEqualTo(golden("member-key"));
        assertThat(ClusterRows.load("nöde-1").row()).isEqualTo(golden("loads-key"));
        assertThat(ClusterRows.nodeId(ClusterRows.member("nöde-1"))).isEqualTo("nöde-1");
    }

    @Test
    void everyStateOfAMemberIsReadAsItWasWritten() {
        for (State state : State.values()) {
            if (state != State.DEAD) {
                MemberRecord member = new MemberRecord(MEMBER.profile(), state, 0);
                assertThat(MemberCodec.decode("nöde-1", MemberCodec.encode(member)))
                        .isEqualTo(member);
            }
        }
    }

    @Test
    void cellsOfALaterVersionAreToldFromDamagedOnes() {
        DECODERS.forEach((name, decode) -> {
            byte[] later = golden(name).unsafeArray().clone();
            later[0] = 2;

            assertThatThrownBy(() -> decode.apply(Bytes.wrap(later)))
                    .as(name)
                    .isInstanceOf(CorruptRecordException.class)
                    .hasCauseInstanceOf(LaterFormatException.class);
        });
    }

    @Test
    void cellsWithMoreBytesThanTheyShouldHaveAreDamaged() {
        DECODERS.forEach((name, decode) -> {
            byte[] whole = golden(name).unsafeArray();
            byte[] longer = Arrays.copyOf(whole, whole.length + 1);

            assertThatThrownBy(() -> decode.apply(Bytes.wrap(longer)))
                    .as(name)
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("end");
        });
    }

    @Test
    void whatNobodyWroteIsReadOrRefusedAsCorruptAndCostsLittle() throws IOException {
        Decoder.tryOnRandomBytes(DECODERS.entrySet().stream()
                .map(entry -> new Decoder(
                        entry.getKey(),
                        CorruptRecordException.class,
                        bytes -> entry.getValue().apply(Bytes.wrap(bytes))))
                .toList());
    }
}
