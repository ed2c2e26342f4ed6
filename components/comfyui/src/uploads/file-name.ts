/** The name of an uploaded file, for people: the file on the server has a name of its own. */

/** Characters. */
const LONGEST = 100

/** @returns `upload.mp4` if nothing of the given name can be shown. */
export function fileName(given: string | null, extension: string): string {
  const last = (given ?? '').split(/[\\/]/).at(-1) ?? ''
  // Control and format characters can make a name look like another one.
  const name = last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  const shown = [...name].slice(0, LONGEST).join('')
  return /^\.*$/.test(shown) ? `upload.${extension}` : shown
}
