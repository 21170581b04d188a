package io.taskmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyboardTest {

    /** A pause in the input: everything between two pauses is one sequence. */
    private static final char PAUSE = '\0';

    @Test
    void charactersAreKeys() throws IOException {
        assertThat(keys("a/Ж🚀")).containsExactly(new Key('a'), new Key('/'), new Key('Ж'), new Key(0x1F680), Key.END);
    }

    @Test
    void enterAndBackspaceAreWhateverTerminalsSendForThem() throws IOException {
        assertThat(keys("\r\n\b\177")).containsExactly(Key.ENTER, Key.ENTER, Key.BACKSPACE, Key.BACKSPACE, Key.END);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\033[A", "\033[1;5C", "\033OP", "\033[15~", "\033x"})
    void keysThatSendASequenceAreReadOver(String sequence) throws IOException {
        assertThat(keys(sequence + "q")).containsExactly(new Key('q'), Key.END);
    }

    @Test
    void escapeIsAKeyIfNothingFollowsAtOnce() throws IOException {
        assertThat(keys("\033" + PAUSE + "q")).containsExactly(Key.ESCAPE, new Key('q'), Key.END);
        assertThat(keys("\033")).containsExactly(Key.ESCAPE, Key.END);
    }

    @Test
    void aSequenceThatIsCutEndsWithThePause() throws IOException {
        assertThat(keys("\033[1" + PAUSE + "q")).containsExactly(new Key('q'), Key.END);
    }

    private static List<Key> keys(String sent) throws IOException {
        Typist typist = new Typist(sent);
        Keyboard keyboard = new Keyboard(typist::read);
        List<Key> keys = new ArrayList<>();
        while (!keys.contains(Key.END)) {
            Optional<Key> key = keyboard.next();
            key.ifPresent(keys::add);
        }
        return keys;
    }

    private static final class Typist {

        private final String sent;
        private int at;

        Typist(String sent) {
            this.sent = sent;
        }

        int read(long millis) {
            if (at < sent.length() && sent.charAt(at) == PAUSE) {
                at++;
                if (millis > 0) {
                    return -2;
                }
            }
            return at == sent.length() ? -1 : sent.charAt(at++);
        }
    }
}
