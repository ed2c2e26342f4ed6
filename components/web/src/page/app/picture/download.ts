/** Gives the user a file of a result. It is made only then, in pieces, so that the page stays usable. */

/** Characters of base64 at once; a multiple of four. */
const PIECE = 1_000_000
/** The browser has begun to read the file by then. */
const REVOKE_MS = 60_000

const ENDINGS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
}

/** @throws {Error} for a text that is not base64. */
export async function downloadBase64(data: string, mimeType: string): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < data.length; at += PIECE) {
    pieces.push(Uint8Array.from(atob(data.slice(at, at + PIECE)), (letter) => letter.charCodeAt(0)))
    await new Promise((resolve) => setTimeout(resolve))
  }
  save(pieces, ENDINGS[mimeType] ?? 'bin')
}

export function downloadText(text: string, ending: 'json' | 'txt'): void {
  save([text], ending)
}

function save(pieces: BlobPart[], ending: string): void {
  // A type that no browser opens: the file must not run as a page of this origin.
  const url = URL.createObjectURL(new Blob(pieces, { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `file.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}
