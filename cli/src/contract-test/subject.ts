/** The component under test: its description and its responses so far. */
import { COMPONENT_HEADER, jsonOf } from 'ftl-contract'
import { sampleArguments } from './sample-arguments.ts'
import { Violation, NoAnswer, NotApplicable } from './check.ts'
import { type PublishedTool, readOffer, type PublishedOffer } from './offer.ts'

export interface Answer {
  /** For messages: `POST /greet`. */
  request: string
  status: number
  headers: Headers
  text: string
  /** `undefined` when the text is not JSON. */
  json: unknown
  milliseconds: number
}

export interface Ask {
  method?: string
  headers?: Record<string, string>
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown
}

export interface SubjectOptions {
  /** URL of the component's root, without the trailing slash. */
  url: string
  /** Arguments to call tools with, by their names. @default made from each tool's schema */
  samples?: Readonly<Record<string, unknown>>
  /** Only these tools are called. @default all with `samples` or without `destructiveHint: true` */
  tools?: readonly string[]
  /** Name of the component in a group, which serves several. @default the component is by itself */
  member?: string
  /** Milliseconds after which a request counts as not answered. @default 10_000 */
  timeoutMs?: number
}

export class Subject {
  /** Every answer so far. */
  readonly answers: Answer[] = []
  readonly #options: SubjectOptions
  readonly #samples = new Map<string, Promise<Answer>>()
  #offer: Promise<PublishedOffer> | undefined

  constructor(options: SubjectOptions) {
    this.#options = options
  }

  /** @throws {NoAnswer} */
  async ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const { url, member, timeoutMs = 10_000 } = this.#options
    const request = `${method} ${path}`
    const started = performance.now()
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          // The gateway sends these headers. Without `prefer`, the component would wait for the end of a job.
          'ftl-request-id': 'contract-test',
          'ftl-deadline': String(timeoutMs),
          prefer: 'respond-async',
          ...(member !== undefined && { [COMPONENT_HEADER]: member }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      const answer: Answer = {
        request,
        text,
        json: jsonOf(text),
        milliseconds: performance.now() - started,
        status: response.status,
        headers: response.headers,
      }
      this.answers.push(answer)
      return answer
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError'
      const why = late ? `within ${timeoutMs} ms` : `(${causeOf(error)})`
      throw new NoAnswer(`${request} got no response ${why}`)
    }
  }

  /**
   * The offer that the component publishes.
   *
   * @throws {NotApplicable} when it cannot be read: one check reports that, and the others are skipped.
   */
  async offer(): Promise<PublishedOffer> {
    try {
      return await this.readOffer()
    } catch (error) {
      if (!(error instanceof Violation || error instanceof NoAnswer)) throw error
      throw new NotApplicable('its description could not be read')
    }
  }

  /** @throws {Violation} {@link NoAnswer} */
  readOffer(): Promise<PublishedOffer> {
    return (this.#offer ??= this.ask('/').then(readOffer))
  }

  /**
   * The tools that may be called.
   *
   * @throws {NotApplicable} when no tool may be called.
   */
  async tools(): Promise<PublishedTool[]> {
    const { tools } = await this.offer()
    const { samples = {}, tools: wanted } = this.#options
    const callable = tools.filter(({ name, annotations }) => {
      if (wanted) return wanted.includes(name)
      return annotations?.destructiveHint !== true || Object.hasOwn(samples, name)
    })
    if (callable.length > 0) return callable
    if (tools.length === 0) throw new NotApplicable('it has no tools')
    throw new NotApplicable(
      wanted
        ? `it has no tool named ${wanted.join(', ')}`
        : 'all its tools are marked as destructive; use --tool and --args to call one',
    )
  }

  /**
   * Tools that do not start a job: each call of the others would start real work.
   *
   * @throws {NotApplicable} when every tool starts a job.
   */
  async quickTools(): Promise<PublishedTool[]> {
    const quick: PublishedTool[] = []
    for (const tool of await this.tools()) {
      if ((await this.sample(tool)).status !== 202) quick.push(tool)
    }
    if (quick.length === 0) throw new NotApplicable('every tool starts a job')
    return quick
  }

  argumentsFor({ name, inputSchema }: PublishedTool): unknown {
    const { samples = {} } = this.#options
    return Object.hasOwn(samples, name) ? samples[name] : sampleArguments(inputSchema)
  }

  /** The answer to a plain call with the tool's sample arguments; requested once and then cached. */
  sample(tool: PublishedTool): Promise<Answer> {
    let answer = this.#samples.get(tool.name)
    if (!answer) this.#samples.set(tool.name, (answer = this.call(tool, this.argumentsFor(tool))))
    return answer
  }

  call(
    { name }: PublishedTool,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.ask(`/${encodeURIComponent(name)}`, { method: 'POST', headers, body })
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
