/**
 * The form of an upload, around the bytes of the file. Built by hand, because not every engine that runs components
 * supports a FormData body, and because the bytes may come as a stream.
 */

export interface FormFile {
  filename: string
  /** Media type. */
  type: string
  subfolder: string
}

export interface Multipart {
  head: Uint8Array<ArrayBuffer>
  tail: Uint8Array<ArrayBuffer>
  contentType: string
}

/**
 * @param boundary that the file cannot contain: a file with it could add fields to the form.
 * @param original of a mask: the image that gets it.
 */
export function multipart(
  boundary: string,
  { filename, type, subfolder }: FormFile,
  original?: string,
): Multipart {
  const part = (disposition: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n`
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `${part('name="type"')}input\r\n` +
      `${part('name="subfolder"')}${subfolder}\r\n` +
      // What the server makes differs from what it was sent, so it cannot see that it has the file already.
      (original === undefined
        ? ''
        : `${part('name="overwrite"')}true\r\n${part('name="original_ref"')}${original}\r\n`) +
      part(`name="image"; filename="${filename}"`, `content-type: ${type}\r\n`),
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  return { head, tail, contentType: `multipart/form-data; boundary=${boundary}` }
}
