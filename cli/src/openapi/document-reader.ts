/**
 * Reads a document and its parts. A document is the work of a stranger: one of a file may name files of its own folder and
 * below, one of a URL addresses of the same origin.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { CommandFailure } from '../terminal/failure.ts'

/** Bytes of all files of a document together. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_FILES = 5_000
const TIMEOUT_MS = 60_000
const MAX_REDIRECTS = 5

export class Reader {
  readonly #isRemote: boolean
  #address: string
  #bytes = 0
  #files = 0

  constructor(address: string, isRemote: boolean) {
    this.#address = address
    this.#isRemote = isRemote
  }

  /** Of the document: where redirects led, because its relative addresses are meant from there. */
  get address(): string {
    return this.#address
  }

  /** @throws {CommandFailure} */
  async readFirst(): Promise<string> {
    const address = this.#address
    return this.#isRemote ? this.#text(await this.#fetch(address, true)) : this.read(address)
  }

  /** A part, or the document. @throws {CommandFailure} */
  async read(address: string): Promise<string> {
    if (++this.#files > MAX_FILES) throw new CommandFailure(`it has more than ${MAX_FILES} files`)
    return this.#text(await (this.#isRemote ? this.#fetch(address, false) : this.#open(address)))
  }

  #text(bytes: Uint8Array): string {
    this.#bytes += bytes.length
    if (this.#bytes > MAX_BYTES) {
      throw new CommandFailure(`it has more than ${MAX_BYTES / 1024 / 1024} MB`)
    }
    return new TextDecoder().decode(bytes)
  }

  async #open(path: string): Promise<Uint8Array> {
    const root = dirname(this.#address)
    const outside = new CommandFailure(
      `${path} is not in the folder of the document. Bundle the document into one file first`,
    )
    if (/^https?:/i.test(path) || !isWithin(root, resolve(path))) throw outside
    try {
      // A link may lead out of the folder. The document itself may be one.
      if (path !== this.#address && !isWithin(await realpath(root), await realpath(path))) {
        throw outside
      }
      const found = await stat(path)
      if (found.size > MAX_BYTES) {
        throw new CommandFailure(`${path} has more than ${MAX_BYTES / 1024 / 1024} MB`)
      }
      return await readFile(path)
    } catch (error) {
      if (error instanceof CommandFailure) throw error
      throw new CommandFailure(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }

  async #fetch(address: string, isFirst: boolean): Promise<Uint8Array> {
    let at = address
    for (let count = 0; count <= MAX_REDIRECTS; count++) {
      if (!isFirst) this.#refuseOther(at)
      const response = await get(at)
      const location = response.headers.get('location')
      if ([301, 302, 303, 307, 308].includes(response.status) && location !== null) {
        await response.body?.cancel()
        if (!URL.canParse(location, at)) break
        at = new URL(location, at).href
        if (/^https?:/.test(at)) continue
        throw new CommandFailure(
          `${address} redirects to ${at}, which is not a URL of http or https`,
        )
      }
      if (!response.ok) throw new CommandFailure(`${at} answers with HTTP ${response.status}`)
      if (isFirst) this.#address = at
      return this.#received(response, at)
    }
    throw new CommandFailure(`${address} redirects without end`)
  }

  #refuseOther(address: string): void {
    const { origin } = new URL(this.#address)
    if (URL.canParse(address) && new URL(address).origin === origin) return
    throw new CommandFailure(
      `${address} is not on the server of the document. Bundle the document into one file first`,
    )
  }

  async #received(response: Response, address: string): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let length = this.#bytes
    for await (const piece of response.body ?? []) {
      length += piece.length
      if (length > MAX_BYTES) {
        throw new CommandFailure(`${address} has more than ${MAX_BYTES / 1024 / 1024} MB`)
      }
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path)
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

async function get(address: string): Promise<Response> {
  try {
    return await fetch(address, {
      headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    const { cause, message } = error as Error
    throw new CommandFailure(
      `${address} cannot be read: ${(cause as Error | undefined)?.message ?? message}`,
    )
  }
}
