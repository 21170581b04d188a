// Numbers for people.

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const count = (value) => WHOLE.format(Number(value ?? 0));

export const perSecond = (value) => `${value >= 100 ? WHOLE.format(value) : TENTHS.format(value)}/s`;

export function span(seconds) {
  if (seconds > 0 && seconds < 0.001) {
    return `${WHOLE.format(seconds * 1e6)} µs`;
  }
  if (seconds < 1) {
    return `${WHOLE.format(seconds * 1000)} ms`;
  }
  if (seconds < 120) {
    return `${TENTHS.format(seconds)} s`;
  }
  if (seconds < 7200) {
    return `${WHOLE.format(seconds / 60)} min`;
  }
  return seconds < 172800 ? `${TENTHS.format(seconds / 3600)} h` : `${TENTHS.format(seconds / 86400)} d`;
}

/** A duration as the server writes it: "1.5s". */
export const seconds = (duration) => (duration === undefined ? undefined : Number.parseFloat(duration));

export const spanOf = (duration) => (duration === undefined ? '–' : span(seconds(duration)));

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let left = value;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${TENTHS.format(left)} ${units[unit]}`;
}

export const time = (instant) => new Date(instant).toLocaleTimeString();

export const ago = (instant) => span(Math.max(0, (Date.now() - new Date(instant)) / 1000));
