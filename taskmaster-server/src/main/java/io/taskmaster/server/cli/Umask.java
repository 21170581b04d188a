package io.taskmaster.server.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The umask of this process, the permissions that new files are created without. RocksDB creates its own files, and has
 * no other setting for their permissions. Thread-safe: stateless.
 */
final class Umask {

    /** All permissions but the owner's. */
    private static final int OTHERS = 0077;

    private Umask() {}

    /** Restricts new files of this process to their owner. Does nothing where the system has no umask. */
    @SuppressWarnings("restricted") // umask(2) reads and writes no memory
    static void restrictToOwner() {
        Linker linker = Linker.nativeLinker();
        linker.defaultLookup().find("umask").ifPresent(umask -> {
            MethodHandle set =
                    linker.downcallHandle(umask, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            try {
                int before = (int) set.invokeExact(OTHERS);
                assert before >= 0 : before;
            } catch (Throwable impossible) {
                throw new AssertionError("umask takes and returns a number", impossible);
            }
        });
    }
}
