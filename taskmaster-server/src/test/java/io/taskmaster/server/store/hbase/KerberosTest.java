package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a site file that configures Kerberos, without a Kerberos server. */
final class KerberosTest {

    private static final String REALM = "java.security.krb5.realm";
    private static final String CENTER = "java.security.krb5.kdc";

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void nameARealm() {
        System.setProperty(REALM, "TEST");
        System.setProperty(CENTER, "127.0.0.1:1");
    }

    @AfterEach
    void forgetAll() {
        System.clearProperty(REALM);
        System.clearProperty(CENTER);
        UserGroupInformation.reset();
    }

    @Test
    void siteThatSaysKerberosIsFollowed() throws IOException {
        Path keytab = folder.resolve("missing.keytab");

        assertThatThrownBy(() -> HBaseStore.open(settings(site(keytab))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(keytab.toString());
        assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
    }

    private Path site(Path keytab) throws IOException {
        return Files.writeString(folder.resolve("hbase-site.xml"), """
                <configuration>
                  <property><name>hadoop.security.authentication</name><value>kerberos</value></property>
                  <property><name>hbase.security.authentication</name><value>kerberos</value></property>
                  <property><name>hbase.client.keytab.file</name><value>%s</value></property>
                  <property><name>hbase.client.keytab.principal</name><value>taskmaster@TEST</value></property>
                </configuration>
                """.formatted(keytab));
    }

    private static HBaseSettings settings(Path site) {
        return new HBaseSettings(
                Optional.of("127.0.0.1:1"), Optional.of(site), "test.", 1, 1, DurabilityLevel.SYNC, StoreLimits.HBASE);
    }
}
