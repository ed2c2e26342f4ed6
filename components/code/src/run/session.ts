/**
 * One run of a program: gives it what it asks for, until it has ended.
 *
 * Everything that comes out of the realm is the text of a stranger: a program that has taken over its realm can post
 * anything. So each message is checked here, and the limits are counted here.
 */
import { isObject } from 'ftl-contract'
import { placeIn, PROGRAM, type Program } from '../program/prepare.ts'
import { ProgramError } from '../program/program-error.ts'
import { CallQueue } from './call-queue.ts'
import { ConsoleLines } from './console-lines.ts'
import type { Limits } from './limits.ts'
import { END_REASONS, overTime } from './reasons.ts'
import { type RunGateway, type RunStart, RunStopped } from './run-gateway.ts'
import { Timers } from './timers.ts'
import { toolValue } from './tool-value.ts'
import type { Trace } from './trace.ts'

/** Why nothing of the program goes on, and what it has posted. */
type Turn = [end: keyof typeof END_REASONS | undefined, messages: string[]]

/** `ftl:engine/realm`. */
export interface Realm {
  limit(computeMs: number, maxBytes: number): void
  run(source: string, name: string): Turn
  deliver(text: string): Turn
}

export interface Progress {
  progress?: number
  total?: number
  message?: string
}

/** What a program is given. */
export interface Start extends Pick<RunStart, 'startedAt' | 'maxCalls'> {
  /** Absent when the program names no tools. */
  tools?: RunStart['tools']
  replayed?: boolean
  /** Of its random numbers. */
  seed: number
  /** Its variable `input`. @default an empty object */
  input?: unknown
}

export interface SessionOptions {
  realm: Realm
  gateway: RunGateway
  limits: Limits
  start: Start
  progress: (update: Progress) => void
  signal: AbortSignal
  /** Notes the calls. @default they are not noted */
  trace?: Trace | undefined
}

interface End {
  /** The result as JSON; absent when the program returned nothing. */
  json?: string
  value?: unknown
  error?: ProgramError
  /** The gateway has ended this instance, at the call with this number. */
  stopped?: { seq: number; code: string }
}

export interface RunOutcome extends End {
  console: ConsoleLines
  /** Calls of tools. */
  calls: number
}

const MB = 2 ** 20

export class Session {
  readonly #program: Program
  readonly #options: SessionOptions
  readonly #console: ConsoleLines
  readonly #queue: CallQueue
  readonly #timers: Timers
  #calls = 0
  /** Whether the program reports its progress itself; else each call is reported. */
  #reports = false
  /** Answers that are to come. */
  #pending = 0
  #end: End | undefined
  #finish: () => void = () => {}

  constructor(program: Program, options: SessionOptions) {
    const { limits, start } = options
    this.#program = program
    this.#options = options
    this.#console = new ConsoleLines(limits.console_chars)
    this.#queue = new CallQueue(start.maxCalls, limits.concurrent_calls)
    this.#timers = new Timers(limits.timers, (id) => this.#send({ type: 'fire', id }))
  }

  async run(): Promise<RunOutcome> {
    const { realm, limits, start, signal } = this.#options
    const ended = new Promise<void>((resolve) => (this.#finish = resolve))
    const late = setTimeout(() => this.#fail('TimeoutError', overTime(limits)), limits.wall_ms)
    const abort = () => this.#fail('TimeoutError', 'the caller no longer waits for the program')
    signal.addEventListener('abort', abort)
    realm.limit(limits.compute_ms, limits.memory_mb * MB)
    const { tools, startedAt, seed, input = {} } = start
    realm.deliver(JSON.stringify({ type: 'begin', tools, now: startedAt, seed, input }))
    this.#take(realm.run(this.#program.script, PROGRAM))
    await ended
    clearTimeout(late)
    signal.removeEventListener('abort', abort)
    this.#timers.clearAll()
    return { ...this.#end, console: this.#console, calls: this.#calls }
  }

  #send(message: Record<string, unknown>): void {
    if (!this.#end) this.#take(this.#options.realm.deliver(JSON.stringify(message)))
  }

  /** Does what the program has asked for in its turn. */
  #take([end, messages]: Turn): void {
    for (const text of messages) {
      if (!this.#end) this.#handle(text)
    }
    if (this.#end) return
    if (end) this.#fail(...END_REASONS[end](this.#options.limits))
    else if (this.#pending === 0 && this.#timers.count === 0) {
      this.#fail('Error', 'the program waits for something that never happens')
    }
  }

  #handle(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      message = undefined
    }
    if (!isObject(message))
      return this.#fail('Error', 'the program has posted a text that is not a message')
    const { type, id } = message
    if (type === 'log') this.#console.add(message['level'], message['text'])
    else if (type === 'progress') this.#progress(message)
    else if (type === 'done') this.#done(message['json'])
    else if (type === 'error') this.#close({ error: this.#errorOf(message) })
    else if (typeof id !== 'number')
      this.#fail('Error', 'the program has posted a text that is not a message')
    else if (type === 'call')
      void this.#answer(id, this.#followed(type, message, this.#call(message)))
    else if (type === 'search' || type === 'describe')
      void this.#answer(id, this.#followed(type, message, this.#ask(type, message)))
    else if (type === 'clear') this.#timers.clear(id)
    else if (type === 'timer') this.#setTimer(id, message)
  }

  /** @param json what the program returned; absent when it returned nothing. */
  #done(json: unknown): void {
    if (json === undefined) return this.#close({})
    try {
      this.#close({ json: json as string, value: JSON.parse(json as string) as unknown })
    } catch {
      this.#fail('TypeError', 'the result is not JSON, or is nested too deeply')
    }
  }

  #setTimer(id: number, { delay, repeats }: Record<string, unknown>): void {
    const error = this.#timers.set(id, typeof delay === 'number' ? delay : 0, repeats === true)
    if (error !== undefined) this.#fail('RangeError', error)
  }

  #progress({ progress, total, message }: Record<string, unknown>): void {
    this.#reports = true
    this.#options.progress({
      ...(typeof progress === 'number' && { progress }),
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message: message.slice(0, 500).toWellFormed() }),
    })
  }

  async #call({ component, tool, json }: Record<string, unknown>): Promise<unknown> {
    if (typeof component !== 'string' || typeof tool !== 'string') {
      throw new ProgramError('TypeError', 'a call needs a component and a tool')
    }
    const args = readJson(json)
    this.#queue.count()
    const seq = ++this.#calls
    const name = `${component}.${tool}`
    if (!this.#reports) {
      const message = `Call ${seq}: ${name.slice(0, 200)}`.toWellFormed()
      this.#options.progress({ message })
    }
    try {
      const { gateway } = this.#options
      return toolValue(await this.#queue.run(() => gateway.call(seq, component, tool, args)), name)
    } catch (error) {
      if (error instanceof RunStopped) this.#close({ stopped: { seq, code: error.code } })
      throw named(error, name)
    }
  }

  async #ask(type: 'search' | 'describe', { json }: Record<string, unknown>): Promise<unknown> {
    const query = readJson(json)
    this.#queue.count()
    try {
      return await this.#queue.run(() => this.#options.gateway[type](isObject(query) ? query : {}))
    } catch (error) {
      if (error instanceof RunStopped)
        this.#close({ stopped: { seq: this.#calls, code: error.code } })
      throw named(error, type)
    }
  }

  #followed(
    type: string,
    { component, tool, json }: Record<string, unknown>,
    call: Promise<unknown>,
  ): Promise<unknown> {
    const { trace } = this.#options
    if (!trace) return call
    const name = type === 'call' ? `${String(component)}.${String(tool)}` : type
    return trace.follow(name, typeof json === 'string' ? json : '{}', call)
  }

  async #answer(id: number, work: Promise<unknown>): Promise<void> {
    let answer: Record<string, unknown>
    this.#pending++
    try {
      answer = { type: 'answer', id, json: JSON.stringify((await work) ?? null) }
    } catch (error) {
      const { message, code, tool } = error as ProgramError
      answer = { type: 'refusal', id, message, code, tool }
    }
    this.#pending--
    this.#send(answer)
  }

  #errorOf({ name, message, stack, code, tool, cause }: Record<string, unknown>): ProgramError {
    const text = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : undefined)
    const place = placeIn(text(stack) ?? '')
    const because = text(cause) === undefined ? '' : ` (cause: ${text(cause)})`
    return new ProgramError(
      text(name)?.slice(0, 100) ?? 'Error',
      explained(text(message) ?? '', this.#options.limits) + because,
      place && this.#program.original(place),
      { tool: text(tool)?.slice(0, 200), code: text(code)?.slice(0, 100) },
    )
  }

  #fail(name: string, message: string): void {
    this.#close({ error: new ProgramError(name, message) })
  }

  #close(end: End): void {
    this.#end ??= end
    this.#finish()
  }
}

/** What the engine says in words of its own. */
function explained(message: string, { memory_mb }: Limits): string {
  const [, module] = /^could not load module '(.{0,200})'$/.exec(message) ?? []
  if (module !== undefined) return `a program cannot import ${module}`
  // Without memory for an error it throws null.
  if (message === 'null') return `null, or the program has used its ${memory_mb} MB of memory`
  if (message === 'out of memory') return `out of memory: the program may use ${memory_mb} MB`
  return message.slice(0, 4000)
}

/** The arguments as they were posted; absent ones are an empty object. */
function readJson(json: unknown): unknown {
  if (json === undefined) return {}
  try {
    return JSON.parse(json as string)
  } catch {
    throw new ProgramError('TypeError', 'the arguments are not valid JSON')
  }
}

function named(error: unknown, tool: string): ProgramError {
  if (error instanceof ProgramError) {
    return new ProgramError(error.name, error.message, undefined, { tool, code: error.code })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new ProgramError('ToolError', message, undefined, { tool, code: 'gateway' })
}
