/** The keys of a Sigstore instance, from a file: nothing is requested when a bundle is verified. */
import { readFile } from 'node:fs/promises'
import { CommandFailure } from '../../terminal/failure.ts'

/** Bytes of the largest file. */
const MOST_BYTES = 4 * 1024 * 1024

/** @returns the file as JSON: it is checked where the library reads it. @throws {CommandFailure} */
export async function readTrustedRoot(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      error.code === 'ENOENT'
        ? `there is no trusted root ${file}: write it with "cosign trusted-root create", or copy it from your Sigstore`
        : `the trusted root ${file} cannot be read`,
    )
  })
  if (text.length > MOST_BYTES)
    throw new CommandFailure(`the trusted root ${file} is longer than ${MOST_BYTES} bytes`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CommandFailure(`the trusted root ${file} must be JSON: a TrustedRoot of Sigstore`)
  }
}
