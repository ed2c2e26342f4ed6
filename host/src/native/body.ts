/** The body of a message of the native gateway. A stream is made of it only where one is read. */
import { PipeSource } from './pipe-source.ts'

export type Content = string | Uint8Array | PipeSource | ReadableStream<Uint8Array> | null

const encoder = new TextEncoder()

export abstract class Body {
  #content: Content
  #stream: ReadableStream<Uint8Array> | undefined
  #isUsed = false

  constructor(content: Content) {
    this.#content = content
  }

  /** What it is, to send it on: it is used then. */
  static take(body: Body): Content {
    const content = body.#stream ?? body.#content
    body.#isUsed = true
    return content
  }

  /** Another that reads the same. @throws {TypeError} when it was read already. */
  static copy(body: Body): Exclude<Content, PipeSource> {
    if (body.#isUsed || body.#stream?.locked) throw new TypeError('The body was read already.')
    const content = body.#content
    if (content === null || typeof content === 'string' || content instanceof Uint8Array) {
      return content
    }
    const [one, other] = (body.body as ReadableStream<Uint8Array>).tee()
    body.#stream = one
    return other
  }

  /**
   * As `ftl.textWithin` of our engine: without a stream.
   *
   * @param announced bytes after which the end is not waited for; 0 if that is not known.
   * @returns `null` for a body that is a stream already, `undefined` for one with more bytes than `limit`.
   */
  static textWithin(
    body: Body,
    limit: number,
    announced: number,
  ): string | Promise<string | undefined> | null | undefined {
    const content = body.#content
    if (body.#stream || content instanceof ReadableStream || body.#isUsed) return null
    body.#isUsed = true
    if (content === null) return ''
    if (content instanceof PipeSource) return textOf(content, { limit, announced })
    const bytes = bytesOf(content)
    return bytes.length > limit ? undefined : decode([bytes])
  }

  get body(): ReadableStream<Uint8Array> | null {
    const content = this.#content
    if (content === null) return null
    if (this.#stream) return this.#stream
    if (content instanceof ReadableStream) this.#stream = content
    else if (content instanceof PipeSource) this.#stream = content.stream()
    else this.#stream = streamOf(bytesOf(content))
    return this.#stream ?? null
  }

  get bodyUsed(): boolean {
    return this.#isUsed
  }

  async text(): Promise<string> {
    return decode(await this.#pieces())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async bytes(): Promise<Uint8Array> {
    return joined(await this.#pieces())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(joined(await this.#pieces())).buffer
  }

  async #pieces(): Promise<Uint8Array[]> {
    if (this.#isUsed || this.#stream?.locked) throw new TypeError('The body was read already.')
    const content = Body.take(this)
    if (content === null) return []
    if (typeof content === 'string' || content instanceof Uint8Array) return [bytesOf(content)]
    const pieces: Uint8Array[] = []
    if (content instanceof PipeSource) {
      for (let piece = await content.next(); piece; piece = await content.next()) pieces.push(piece)
    } else for await (const piece of content) pieces.push(piece)
    return pieces
  }
}

/** Not `async`: what is there already is read at once. */
function textOf(
  source: PipeSource,
  { limit, announced }: { limit: number; announced: number },
): string | undefined | Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  const isOver = (piece: Uint8Array | undefined) => {
    if (piece === undefined) return true
    if (piece.length > 0) pieces.push(piece)
    size += piece.length
    return size > limit || (announced > 0 && size === announced)
  }
  const text = () => {
    // What is announced has arrived, or too much has: the end is not waited for.
    source.cancel()
    return size <= limit ? decode(pieces) : undefined
  }
  const rest = async () => {
    while (!isOver(await source.next()));
    if (size <= limit) await source.enter(size)
    return text()
  }
  for (;;) {
    const piece = source.now()
    if (piece?.length === 0) return rest()
    if (!isOver(piece)) continue
    const turn = size <= limit ? source.enter(size) : undefined
    return turn ? turn.then(text) : text()
  }
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}

function decode(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  const [first] = pieces
  if (pieces.length <= 1) return first ? decoder.decode(first) : ''
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  return pieces.length === 1 && first ? first : Buffer.concat(pieces)
}
