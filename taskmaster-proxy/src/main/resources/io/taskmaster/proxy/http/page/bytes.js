// Byte strings, as the JSON of the server spells them: a field of text, or one of Base64 beside it. A key stands for one in an address.

export const field = (message, name) =>
  name in message ? { text: message[name] } : { base64: message[`${name}_base64`] ?? '' };

export const spell = (name, bytes) => ('text' in bytes ? { [name]: bytes.text } : { [`${name}_base64`]: bytes.base64 });

export const key = (bytes) => ('text' in bytes ? `t${bytes.text}` : `b${bytes.base64}`);

export const parse = (spelled) => (spelled.startsWith('b') ? { base64: spelled.slice(1) } : { text: spelled.slice(1) });

/** What a person types: text, or bytes behind base64: as at the command line. */
export const typed = (input) => (input.startsWith('base64:') ? { base64: input.slice(7) } : { text: input });

export function octets(bytes) {
  return 'text' in bytes
    ? new TextEncoder().encode(bytes.text)
    : Uint8Array.from(atob(bytes.base64), (character) => character.charCodeAt(0));
}

/** On one line. */
export function show(bytes) {
  if ('base64' in bytes) {
    return bytes.base64 === '' ? '' : `base64:${bytes.base64}`;
  }
  return bytes.text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
