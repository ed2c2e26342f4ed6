/** Runs a component in a plain test: with the code that serves it in production, on a platform in memory. */
import {
  CALL_ENVELOPE_TYPE,
  type JobRecord,
  type Offer,
  type PromptResult,
  type ResourceResult,
  type ToolDescription,
  type ToolResult,
} from 'ftl-contract'
import { type ComponentEntry, toComponent } from '../serve/component.ts'
import {
  answersTo,
  type CallAnswer,
  type CallUpdates,
  type InputAnswers,
  readAnswer,
  ToolFailed,
} from './calls.ts'
import { type Heard, withConsole } from './console.ts'
import { missedHint, withComponentGlobals } from './globals.ts'
import { callHeaders, type CallOptions } from './headers.ts'
import { type TestPlatform, testPlatform, type TestPlatformOptions } from './platform.ts'
import { testJob, type TestJob } from './test-job.ts'
import { watch } from './watch.ts'

/** Rounds of questions after which a tool is treated as asking without end. */
const MOST_QUESTIONS = 20

/** Options of the component under test. */
export interface TestComponentOptions extends TestPlatformOptions, CallOptions {
  /** The component's name in `spin.toml`. @default 'test' */
  name?: string
  /** Other components of the application by name; they are reached as `http://{name}.spin.internal`. */
  components?: Readonly<Record<string, ComponentEntry>>
  /**
   * Globals of Node that the build gives the component, such as `Buffer`. Others that a component lacks are hidden from
   * the code under test. @default none
   */
  globals?: readonly string[]
}

/** Options of one call. */
export interface CallSettings extends CallOptions {
  /** The client's answers to the tool's questions. @default a `TypeError` that names the questions */
  answers?: InputAnswers
}

/** Progress and log lines of the last call, and the platform of the component. */
export interface TestCalls extends CallUpdates {
  /** What the component printed in all calls. */
  console: Heard[]
  platform: TestPlatform
  /** The key-value store `default`. */
  kv: TestPlatform['kv']
  /** Every request that the component sent, in order. */
  requests: Request[]
  /** Advances the component's clock. */
  advance(milliseconds: number): void
  /** Settles when everything given to `waitUntil` has settled. */
  settled(): Promise<void>
}

export interface TestComponent extends TestCalls {
  /**
   * Calls a tool as a gateway does. A job is polled until it ends, with the clock advanced between polls.
   *
   * @throws {ToolFailed} when a client would read only that the tool failed, with the tool's error as `cause`; also
   * when a job fails or is cancelled.
   * @throws {NotJson} when the answer contains a value that JSON would drop or change.
   */
  call(tool: string, args?: unknown, settings?: CallSettings): Promise<ToolResult>
  /** Calls a tool that answers with a job. @throws {ToolFailed} when it answers without one. */
  startJob(tool: string, args?: unknown, settings?: CallOptions): Promise<TestJob>
  prompt(name: string, args?: Record<string, string>): Promise<PromptResult>
  resource(uri: string): Promise<ResourceResult>
  /** What `GET /` publishes, always as an `Offer`. */
  offer(): Promise<Offer>
  /** Any request of the component contract. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/**
 * Serves a component in memory, for tests.
 *
 * @param entry the component's module: `import * as entry from './main.ts'`.
 * @throws {TypeError} as the build does, when the module exports nothing that can be served.
 * @example
 * const component = testComponent(await import('./main.ts'), { variables: { unit: 'celsius' } })
 * const result = await component.call('weather', { city: 'Oslo' })
 */
export function testComponent(
  entry: ComponentEntry,
  options: TestComponentOptions = {},
): TestComponent {
  const { name = 'test', components = {}, globals = [] } = options
  const watched = watch(entry)
  const served = new Map(
    Object.entries({ ...components, [name]: watched.entry }).map(([id, module]) => [
      id,
      toComponent(module, id),
    ]),
  )
  const platform: TestPlatform = testPlatform(options, (request) => {
    const [, id = ''] = /^http:\/\/([a-z0-9-]+)\.spin\.internal(?:[/?]|$)/.exec(request.url) ?? []
    return served.get(id)?.fetch(request, platform)
  })
  const heard: Heard[] = []

  async function send(path: string, init?: RequestInit): Promise<Response> {
    const component = served.get(name)
    if (!component) throw new TypeError(`there is no component "${name}"`)
    const request = new Request(`http://${name}.spin.internal${path}`, init)
    return component.fetch(request, platform)
  }

  /** As a component runs: what it prints is kept, and the globals of Node are hidden. */
  const asComponent = <T>(work: () => Promise<T>, missed = new Set<string>()): Promise<T> =>
    withConsole(
      (line) => heard.push(line),
      () => withComponentGlobals(globals, missed, work),
    )

  async function ask<T>(path: string, init?: RequestInit): Promise<T | undefined> {
    return asComponent(async () => {
      const response = await send(path, init)
      const body = await response.text()
      if (response.ok) return JSON.parse(body) as T
      if (response.status === 404 && path.startsWith('/jobs/')) return undefined
      throw new ToolFailed(
        `${init?.method ?? 'GET'} ${path} was answered ${response.status}: ${body}`,
      )
    })
  }

  async function callOnce(
    tool: string,
    body: unknown,
    type: string,
    settings: CallOptions,
  ): Promise<CallAnswer> {
    const since = heard.length
    const headers = { ...callHeaders({ ...options, ...settings }), 'content-type': type }
    const missed = new Set<string>()
    watched.takeError()
    try {
      return await asComponent(async () => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return readAnswer(await send(`/${encodeURIComponent(tool)}`, init), component)
      }, missed)
    } catch (error) {
      const cause = watched.takeError()
      if (cause instanceof Error && cause.name === 'NotJson') throw cause
      const printed = heard.slice(since).filter(({ level }) => level === 'error')
      const why = printed.map(({ text }) => `\n${text}`).join('')
      if (!(error instanceof ToolFailed)) throw error
      const text = `tool ${tool}: ${error.message}${why}${missedHint(missed)}`
      throw new ToolFailed(text, { cause: cause ?? error })
    }
  }

  async function begin(
    tool: string,
    args: unknown,
    { answers, ...settings }: CallSettings,
  ): Promise<ToolResult | { job: JobRecord }> {
    component.progress = []
    component.logs = []
    let answer = await callOnce(tool, args, 'application/json', settings)
    for (let asked = 0; 'resultType' in answer; asked++) {
      if (asked === MOST_QUESTIONS) throw new ToolFailed(`tool ${tool} asks without end`)
      const envelope = {
        arguments: args,
        inputResponses: answersTo(answer, answers),
        ...(answer.requestState !== undefined && { requestState: answer.requestState }),
      }
      answer = await callOnce(tool, envelope, CALL_ENVELOPE_TYPE, settings)
    }
    return answer
  }

  const follow = (job: JobRecord) =>
    testJob(job, platform.clock, (method, id) => ask<JobRecord>(`/jobs/${id}`, { method }))

  const component: TestComponent = {
    progress: [],
    logs: [],
    console: heard,
    platform,
    kv: platform.kv,
    requests: platform.requests,
    advance: (milliseconds) => platform.clock.advance(milliseconds),
    settled: () => platform.settled(),
    async call(tool, args = {}, settings = {}) {
      const answer = await begin(tool, args, settings)
      return 'job' in answer ? follow(answer.job).result() : answer
    },
    async startJob(tool, args = {}, settings = {}) {
      const answer = await begin(tool, args, settings)
      if ('job' in answer) return follow(answer.job)
      throw new ToolFailed(
        `tool ${tool} answered at once, without a job: ${JSON.stringify(answer)}`,
      )
    },
    prompt: async (prompt, args = {}) =>
      required(
        await ask<PromptResult>(`/prompts/${encodeURIComponent(prompt)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(args),
        }),
      ),
    resource: async (uri) =>
      required(await ask<ResourceResult>(`/resources?uri=${encodeURIComponent(uri)}`)),
    offer: async () =>
      toOffer(required(await ask<Offer | ToolDescription | ToolDescription[]>('/'))),
    fetch: (path, init) => asComponent(() => send(path, init)),
  }
  return component
}

function toOffer(offer: Offer | ToolDescription | ToolDescription[]): Offer {
  if (Array.isArray(offer)) return { tools: offer }
  return 'inputSchema' in offer ? { tools: [offer] } : offer
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new ToolFailed('there is no answer')
  return value
}
