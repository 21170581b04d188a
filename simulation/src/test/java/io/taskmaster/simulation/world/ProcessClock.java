package io.taskmaster.simulation.world;

import java.util.ArrayList;
import java.util.List;

/** The wall clock of one process: apart from those of the others, a little fast or slow, and set anew now and then. Single-threaded. */
public final class ProcessClock {

    private record Setting(long fromMicros, long offsetMillis) {}

    private final double drift;
    private final List<Setting> settings = new ArrayList<>();

    /**
     * @param drift how much faster it goes than time
     */
    public ProcessClock(long offsetMillis, double drift) {
        this.drift = drift;
        settings.add(new Setting(0, offsetMillis));
    }

    /** Somebody sets it. */
    void set(long nowMicros, long byMillis) {
        settings.add(new Setting(nowMicros, settings.getLast().offsetMillis + byMillis));
    }

    long millisAt(long micros) {
        int last = settings.size() - 1;
        while (settings.get(last).fromMicros > micros) {
            last--;
        }
        return shown(micros, settings.get(last));
    }

    /** The least that it showed in this time. */
    long earliestMillis(long fromMicros, long toMicros) {
        long least = millisAt(fromMicros);
        for (Setting setting : settings) {
            if (setting.fromMicros > fromMicros && setting.fromMicros <= toMicros) {
                least = Math.min(least, shown(setting.fromMicros, setting));
            }
        }
        return least;
    }

    /** The most that it ever showed until then. */
    long latestMillis(long micros) {
        long most = millisAt(micros);
        for (int i = 1; i < settings.size() && settings.get(i).fromMicros <= micros; i++) {
            most = Math.max(most, shown(settings.get(i).fromMicros, settings.get(i - 1)));
        }
        return most;
    }

    /** How far it ever was from the right time, until then. */
    long farthestMillis(long micros) {
        long drifted = (long) Math.ceil(Math.abs(micros * drift) / 1_000);
        return drifted
                + settings.stream()
                        .mapToLong(setting -> Math.abs(setting.offsetMillis))
                        .max()
                        .orElse(0);
    }

    private long shown(long micros, Setting setting) {
        return World.clockMillisAt(micros + (long) (micros * drift)) + setting.offsetMillis;
    }
}
