package io.taskmaster.server.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The permissions that files of this process are made without. RocksDB makes its own, and takes no word on them but this. Stateless. */
final class Umask {

    /** All but the owner's. */
    private static final int OTHERS = 0077;

    private Umask() {}

    /** From now on, what this process makes is its owner's alone. Does nothing where the system knows no such thing. */
    @SuppressWarnings("restricted") // umask(2) reads and writes no memory
    static void keepOthersOut() {
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
