const LONGEST_NAME = 60

/**
 * Without what changes the direction of text or is not seen: a name must not look like another one's page. Many scripts
 * need marks, but none needs a pile of them.
 */
export function plainName(name: string): string {
  const plain = name
    .slice(0, 1_000)
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  // Not in the middle of a letter of two units.
  return [...plain].slice(0, LONGEST_NAME).join('')
}
