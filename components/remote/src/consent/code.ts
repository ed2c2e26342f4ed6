/** The code that a user carries from the browser to a client: without letters that look like others. */

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/** 39 bits, which with few tries and ten minutes cannot be guessed. */
export function confirmationCode(): string {
  let code = ''
  while (code.length < LENGTH) {
    // A byte that would make some letters more frequent is drawn again.
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      if (byte < ALPHABET.length * 8 && code.length < LENGTH) {
        code += ALPHABET[byte % ALPHABET.length] ?? ''
      }
    }
  }
  return code
}

/** As the user sees it. */
export function shownCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** As people and models write it: with spaces, hyphens and small letters. */
export function plainCode(text: string): string {
  return text
    .slice(0, 64)
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
}
