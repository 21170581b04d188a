package io.taskmaster.server.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status.Code;
import io.netty.pkitesting.X509Bundle;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Rule;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.proxy.json.ApiOperation;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the access table: every endpoint of both ports, for each kind of caller. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class EndpointAccessIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Paths without an endpoint. Only callers with all permissions get a 404. */
    private static final List<String> NOWHERE = List.of(
            "/nothing", "/nothing.js", "/page/main.js", "/v1/nothing", "/v1", "/healthz/", "/metrics/", "/v1/list/x");

    /** Other spellings of a path. They are the same path, or none. */
    private static final List<String> SPELLINGS =
            List.of("/v1/%75pdate", "/v1/./update", "/healthz/../v1/update", "//v1/update");

    private SecuredServer secured;

    /** The credentials of a caller, and the role that they give. */
    enum Shown {
        NOTHING(Role.NONE),
        AN_UNKNOWN_TOKEN(Role.NONE),
        A_TOKEN_TO_READ(Role.READ),
        A_TOKEN_TO_DO_ALL(Role.FULL),
        A_CERTIFICATE_TO_READ(Role.READ),
        A_CERTIFICATE_TO_DO_ALL(Role.FULL),
        A_CERTIFICATE_OF_NOBODY(Role.NONE),
        AN_UNKNOWN_TOKEN_AND_A_CERTIFICATE_TO_DO_ALL(Role.NONE),
        A_TOKEN_TO_READ_AND_A_CERTIFICATE_TO_DO_ALL(Role.READ);

        private final Role role;

        Shown(Role role) {
            this.role = role;
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        secured = new SecuredServer(folder);
    }

    @AfterAll
    void stop() {
        secured.close();
    }

    private Visitor visitor(Shown shown) throws Exception {
        Optional<String> token = Optional.ofNullable(
                switch (shown) {
                    case AN_UNKNOWN_TOKEN, AN_UNKNOWN_TOKEN_AND_A_CERTIFICATE_TO_DO_ALL ->
                        Token.make(Role.FULL, "worker").secret();
                    case A_TOKEN_TO_READ, A_TOKEN_TO_READ_AND_A_CERTIFICATE_TO_DO_ALL -> secured.reader.secret();
                    case A_TOKEN_TO_DO_ALL -> secured.worker.secret();
                    case NOTHING, A_CERTIFICATE_TO_READ, A_CERTIFICATE_TO_DO_ALL, A_CERTIFICATE_OF_NOBODY -> null;
                });
        Optional<X509Bundle> certificate = Optional.ofNullable(
                switch (shown) {
                    case A_CERTIFICATE_TO_READ -> secured.pki.issue(secured.pki.client("seer"));
                    case A_CERTIFICATE_TO_DO_ALL,
                            AN_UNKNOWN_TOKEN_AND_A_CERTIFICATE_TO_DO_ALL,
                            A_TOKEN_TO_READ_AND_A_CERTIFICATE_TO_DO_ALL ->
                        secured.pki.issue(secured.pki
                                .client("seer")
                                .addSanDnsName("doer.example.org")
                                .subject("CN=x"));
                    case A_CERTIFICATE_OF_NOBODY -> secured.pki.issue(secured.pki.client("worker"));
                    case NOTHING, AN_UNKNOWN_TOKEN, A_TOKEN_TO_READ, A_TOKEN_TO_DO_ALL -> null;
                });
        return secured.visitor(token, certificate);
    }

    @ParameterizedTest
    @EnumSource
    void everyMethodOfTheGrpcPortIsForThoseWhoMay(Shown shown) throws Exception {
        try (Visitor visitor = visitor(shown)) {
            for (Map.Entry<String, Rule> endpoint : Rule.TABLE.entrySet()) {
                if (endpoint.getKey().startsWith("/")) {
                    continue;
                }
                Code outcome = visitor.call(endpoint.getKey());

                switch (verdict(shown.role, endpoint.getValue().role())) {
                    case 401 -> assertThat(outcome).as(endpoint.getKey()).isEqualTo(Code.UNAUTHENTICATED);
                    case 403 -> assertThat(outcome).as(endpoint.getKey()).isEqualTo(Code.PERMISSION_DENIED);
                    default -> assertThat(outcome).as(endpoint.getKey()).isIn(Code.OK, Code.INVALID_ARGUMENT);
                }
            }
        }
    }

    @Test
    void whoShowsTwoTokensIsRefusedWhicheverIsKnown() throws Exception {
        String known = secured.worker.secret();
        for (List<String> shown :
                List.of(List.of(known, "unknown"), List.of("unknown", known), List.of(known, known))) {
            try (Visitor visitor = secured.visitor(Optional.of(shown.getFirst()), Optional.empty())) {
                assertThat(visitor.callWithAnother(shown.getLast(), "taskmaster.v1.TaskMaster/ListQueues"))
                        .isEqualTo(Code.UNAUTHENTICATED);
                HttpResponse<String> refusal = visitor.getWithAnother(shown.getLast(), "/v1/list");
                assertThat(refusal.statusCode()).isEqualTo(401);
                assertThat(refusal.body())
                        .contains("\"reason\":\"UNAUTHENTICATED\"")
                        .contains("several tokens");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyPathOfTheHttpPortIsForThoseWhoMay(Shown shown) throws Exception {
        try (Visitor visitor = visitor(shown)) {
            for (ApiOperation<?, ?> apiOperation : ApiOperation.ALL) {
                Role needed = Rule.of(apiOperation.method().getFullMethodName()).role();
                assertVerdict(visitor.post(apiOperation.path(), "{}"), shown.role, needed);
                assertVerdict(visitor.get(apiOperation.path()), shown.role, needed);
            }
            for (Map.Entry<String, Rule> endpoint : Rule.TABLE.entrySet()) {
                if (endpoint.getKey().startsWith("/")) {
                    assertVerdict(
                            visitor.get(endpoint.getKey()),
                            shown.role,
                            endpoint.getValue().role());
                }
            }
            for (String path : NOWHERE) {
                assertVerdict(visitor.get(path), shown.role, Role.FULL);
            }
            for (String path : SPELLINGS) {
                assertVerdict(visitor.post(path, "{}"), shown.role, Role.FULL);
            }
        }
    }

    private static void assertVerdict(HttpResponse<String> answer, Role has, Role needs) {
        String what = answer.request().method() + " " + answer.uri().getPath();
        int expected = verdict(has, needs);
        if (expected == 200) {
            assertThat(answer.statusCode()).as(what).isIn(200, 400, 404, 405);
        } else {
            assertThat(answer.statusCode()).as(what).isEqualTo(expected);
            assertThat(answer.headers().firstValue("WWW-Authenticate").isPresent())
                    .as(what)
                    .isEqualTo(expected == 401);
        }
    }

    /** Returns the expected HTTP status. */
    private static int verdict(Role has, Role needs) {
        if (needs.compareTo(has) <= 0) {
            return 200;
        }
        return has == Role.NONE ? 401 : 403;
    }

    @Test
    void theTableIsWhatTheGuideSays() {
        List<String> mayRead = new ArrayList<>();
        List<String> open = new ArrayList<>();
        List<String> audited = new ArrayList<>();
        Rule.TABLE.forEach((endpoint, rule) -> {
            String name = endpoint.equals("/") ? endpoint : endpoint.substring(endpoint.lastIndexOf('/') + 1);
            switch (rule.role()) {
                case NONE -> open.add(name);
                case READ -> mayRead.add(name);
                case FULL -> {}
            }
            if (rule.recorded() == Rule.Recorded.ALL) {
                audited.add(name);
            }
        });

        assertThat(open).containsExactlyInAnyOrder("Check", "Watch", "healthz", "/");
        assertThat(mayRead)
                .containsExactlyInAnyOrder(
                        "ListQueues",
                        "DescribeQueues",
                        "PeekTasks",
                        "ShowFlow",
                        "ShowHistory",
                        "RankQueues",
                        "ShowClearing",
                        "ServerReflectionInfo",
                        "openapi.json",
                        "metrics",
                        "whoami");
        assertThat(audited).containsExactlyInAnyOrder("DeleteQueues", "ConfigureQueue");
    }

    @Test
    void aCertificateOfAnotherAuthorityGetsNoConnection() throws Exception {
        Pki theirs = new Pki("ours");
        Optional<X509Bundle> forged =
                Optional.of(theirs.issue(theirs.client("seer").addSanDnsName("doer.example.org")));
        try (Visitor stranger = secured.visitor(Optional.of(secured.worker.secret()), forged)) {
            assertThat(stranger.call("grpc.health.v1.Health/Check")).isEqualTo(Code.UNAVAILABLE);
            assertThatThrownBy(() -> stranger.get("/healthz")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theClientGetsInWithATokenOrACertificateAndKeepsATokenToItself() throws Exception {
        String target = "127.0.0.1:" + secured.server.rpcPort();
        Path authority = secured.folder.resolve("ca.pem");
        Pki.write(
                secured.folder,
                "doer",
                secured.pki.issue(secured.pki.client("d").addSanDnsName("doer.example.org")));
        try (var byToken = TaskMasterClient.builder(target)
                        .tls(authority)
                        .token(secured.worker.secret())
                        .build();
                var byCertificate = TaskMasterClient.builder(target)
                        .tls(authority)
                        .clientCertificate(secured.folder.resolve("doer.pem"), secured.folder.resolve("doer.key"))
                        .build();
                var toRead = TaskMasterClient.builder(target)
                        .tls(authority)
                        .token(secured.reader.secret())
                        .build();
                var distrusting = TaskMasterClient.builder(target)
                        .tls()
                        .maxRetries(0)
                        .token("any")
                        .build()) {
            QueueKey queue = QueueKey.of("q");
            assertThat(byToken.blocking().enqueue(queue, Bytes.of("x")).success())
                    .isTrue();
            assertThat(byCertificate.blocking().enqueue(queue, Bytes.of("x")).success())
                    .isTrue();
            assertThat(codeOf(() -> toRead.blocking().enqueue(queue, Bytes.of("x"))))
                    .isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(codeOf(() -> distrusting.blocking().enqueue(queue, Bytes.of("x"))))
                    .isEqualTo(ErrorCode.NOT_CONNECTED);
        }
    }

    @Test
    void aTokenThatIsTakenOutOfTheFileIsOutAndANewOneIsIn(@TempDir Path elsewhere) throws Exception {
        try (var other = new SecuredServer(elsewhere);
                Visitor before = other.visitor(Optional.of(other.worker.secret()), Optional.empty())) {
            Token next = Token.make(Role.FULL, "worker");
            assertThat(before.call("taskmaster.v1.TaskMaster/ListQueues")).isEqualTo(Code.OK);

            Files.writeString(elsewhere.resolve("access"), "full worker sha256:broken");
            Files.writeString(elsewhere.resolve("next"), next.line());
            assertThat(before.call("taskmaster.v1.TaskMaster/ListQueues")).isEqualTo(Code.OK);
            Files.move(elsewhere.resolve("next"), elsewhere.resolve("access"), StandardCopyOption.REPLACE_EXISTING);

            await().atMost(LIMIT)
                    .until(() -> before.call("taskmaster.v1.TaskMaster/ListQueues") == Code.UNAUTHENTICATED);
            try (Visitor after = other.visitor(Optional.of(next.secret()), Optional.empty())) {
                assertThat(after.call("taskmaster.v1.TaskMaster/ListQueues")).isEqualTo(Code.OK);
            }
        }
    }

    private static ErrorCode codeOf(Runnable call) {
        try {
            call.run();
        } catch (TaskMasterException e) {
            return e.code();
        }
        throw new AssertionError("was done");
    }
}
