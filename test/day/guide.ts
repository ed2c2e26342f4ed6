/** Plays a guide: types its commands, writes its files, and does what its sentences ask for. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { adapted, type Own } from './adapted.ts'
import type { Answer, Background, Terminal, Typed } from './terminal.ts'
import { mergeToml } from './manifest-lines.ts'
import { commandLines, namedFile, shownCommands, type Step, stepsOf } from './page.ts'
import { isAsShown } from './shown-output.ts'
import { originOf, servingOf, withAddress } from './serving.ts'
import type { Transcript } from './transcript.ts'

/** What a sentence asks for that is not in a block. */
export interface Deed {
  /** Part of the sentence. */
  when: RegExp
  /** Whether it is done after the block that follows the sentence. @default false */
  after?: boolean
  act: (guide: Guide) => Promise<void>
}

export interface GuideOptions extends Own {
  terminal: Terminal
  transcript: Transcript
  deeds: readonly Deed[]
  /** Why a line is not typed. @default every line is typed */
  notTyped?: (line: string) => string | undefined
  /**
   * Types only what is in blocks `sh`: in this folder, or with the mark `elsewhere` in another one, if there is one.
   *
   * @default does what every block asks for, in one folder after the other
   */
  places?: Readonly<Record<'here' | 'elsewhere', string | undefined>>
  /** Called when something serves. */
  serves?: (line: string, origin: string, guide: Guide) => Promise<void>
}

/** The longest from a command to what it serves. It may build every component of a clone. */
const READY_MS = 420_000

export class Guide {
  readonly #options: GuideOptions
  readonly #todo: Set<Deed>
  /** What serves the application now. */
  served: Background | undefined
  readonly #beside = new Map<string, Background>()
  /** What serves, and what it printed until it was ready. */
  #said = { line: '', output: '' }
  /** Of the job that was started last. */
  #job = ''
  /** `spin.toml` was edited while it is served. */
  #hasNewManifest = false
  last: Typed = { output: '', code: 0, seconds: 0 }

  constructor(options: GuideOptions) {
    this.#options = options
    this.#todo = new Set(options.deeds)
  }

  get terminal(): Terminal {
    return this.#options.terminal
  }

  get transcript(): Transcript {
    return this.#options.transcript
  }

  get hasDefaultPort(): boolean {
    return this.#options.ports.get(3000) === 3000
  }

  async play(page: string): Promise<void> {
    for (const step of await stepsOf(page)) {
      const deeds = [...this.#todo].filter(({ when }) => when.test(step.prose))
      for (const deed of deeds) if (!deed.after) await this.#do(deed)
      if (this.#options.places) await this.#playTables(step)
      if (step.block) await this.#playBlock(step)
      for (const deed of deeds) if (deed.after) await this.#do(deed)
    }
    for (const { when } of this.#todo) {
      this.transcript.check(`${page} has a sentence like ${String(when)}`, false)
    }
  }

  async #do(deed: Deed): Promise<void> {
    this.#todo.delete(deed)
    await deed.act(this)
  }

  async #playTables({ page, tables }: Step): Promise<void> {
    const { places } = this.#options
    if (tables.length === 0 || places?.here === undefined) return
    this.terminal.folder = places.here
    this.transcript.write(`\n[tables of ${page}]`)
    for (const command of tables) await this.#typePrinted(command)
  }

  async #playBlock({ page, prose, block }: Step): Promise<void> {
    if (!block) return
    const { language, marks, line } = block
    const { places } = this.#options
    if (places) {
      const folder = marks.includes('elsewhere') ? places.elsewhere : places.here
      if (!['sh', 'console'].includes(language) || folder === undefined) return
      this.terminal.folder = folder
    }
    const code = this.adapted(block.code)
    const file = marks.find((mark) => mark.endsWith('.ts')) ?? namedFile(prose)
    this.transcript.write(`\n[${page}:${line}]`)
    if (language === 'sh') {
      for (const command of commandLines(block.code)) await this.#typePrinted(command)
    } else if (language === 'console') {
      for (const { command, output } of shownCommands(code)) {
        // A page shows what the line above printed.
        if (this.#said.line !== command) await this.type(command)
        const printed = servingOf(command) ? this.#said.output : this.last.output
        this.transcript.check(
          `it prints what the guide shows: ${output}`,
          isAsShown(printed, output),
        )
      }
    } else if (isManifest(language, code)) {
      await this.edit('spin.toml', (text) => mergeToml(text, code))
    } else if (file !== undefined) {
      await this.write(file, `${code}\n`)
    } else {
      this.transcript.check(`${page}:${line} says what to do with its block`, false)
    }
  }

  async #typePrinted(printed: string): Promise<void> {
    const why = this.#options.notTyped?.(printed)
    if (why !== undefined) return this.transcript.act(`(not typed: ${printed}: ${why})`)
    await this.type(this.adapted(printed))
    if (!printed.startsWith('curl') || printed.includes(' -o ')) return
    const isError = /^\{("jsonrpc":"2\.0",)?"error"/.test(this.last.output)
    this.transcript.check(`"${printed.slice(0, 60)}" gives no error`, !isError)
  }

  async type(command: string, answer?: Answer): Promise<void> {
    if (command === 'npm ci' || command === 'npm run pack') {
      this.transcript.act(`(done before, in the clone: ${command})`)
    } else if (command.startsWith('cd ')) {
      this.terminal.folder = resolve(this.terminal.folder, command.slice(3))
      this.transcript.write(`$ ${command}`)
    } else {
      // What "npm ci" installs is there.
      const line = command.replace(/^npm ci && /, '').replaceAll('STREAM_ID', this.#job)
      if (servingOf(line)) return this.serve(line)
      if (command.includes('/outputs/STREAM_ID')) await this.#untilDone()
      this.last = await this.terminal.type(line, answer)
      this.transcript.check(`"${command}" ends well`, this.last.code === 0 || isPlan(this.last))
      const id = /"(?:stream_id|job_id|id)":"([\da-f]{8}-[\da-f-]{27})"/.exec(this.last.output)
      this.#job = id?.[1] ?? this.#job
    }
  }

  /** A reader polls until the status is "completed". */
  async #untilDone(): Promise<void> {
    for (let look = 0; look < 60; look++) {
      const address = this.adapted(`http://127.0.0.1:3000/jobs/${this.#job}`)
      const { output } = await this.terminal.type(`curl -s ${address}`)
      if (!/"status":"(working|submitting)"/.test(output)) return
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  /** Ends what served the same before. */
  async serve(command: string): Promise<void> {
    const serving = servingOf(command)
    if (!serving) throw new Error(`"${command}" is not known to serve`)
    const { role, ready } = serving
    if (role === 'gateway') await this.stop()
    else await this.#beside.get(role)?.stop()
    const line = withAddress(command, serving, this.#options.ports)
    const began = performance.now()
    const background = this.terminal.start(line)
    this.#hasNewManifest = false
    if (role === 'gateway') this.served = background
    else this.#beside.set(role, background)
    await background.says(ready, READY_MS)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    this.transcript.figure(`from "${command}" to "${String(ready)}"`, `${seconds} s`)
    this.#said = { line: command, output: background.news() }
    await this.#options.serves?.(line, originOf(line, serving), this)
  }

  async stop(): Promise<void> {
    if (!this.served) return
    this.transcript.act('Ctrl-C in the terminal that serves')
    await this.served.stop()
    this.served.news()
    this.served = undefined
  }

  /** Waits for the reload, and shows what the terminal of `npm run dev` says. */
  async saved(): Promise<string> {
    // A file that was written before it can have a reload of its own.
    const edited = this.#hasNewManifest ? /spin\.toml has changed[^]*serving the change/ : undefined
    this.#hasNewManifest = false
    await this.served?.says(edited ?? 'serving the change')
    return this.served?.news() ?? ''
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.terminal.folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    this.transcript.act(`writes ${file}`)
  }

  async edit(file: string, change: (text: string) => string): Promise<void> {
    const path = join(this.terminal.folder, file)
    const before = await readFile(path, 'utf8')
    const after = change(before)
    if (after === before) throw new Error(`the change of ${file} changes nothing`)
    await writeFile(path, after)
    if (file === 'spin.toml') this.#hasNewManifest = this.served !== undefined
    this.transcript.act(`edits ${file}`)
  }

  /** A text of the guide with the folders and ports of this run. */
  adapted(text: string): string {
    return adapted(text, this.#options)
  }
}

/** A plan that lists what is to be changed ends with 1, as a linter does. */
const isPlan = ({ code, output }: Typed): boolean =>
  code === 1 && /^ +✗/m.test(output) && /^ *Commands$/m.test(output)

const isManifest = (language: string, code: string): boolean =>
  language === 'toml' || (language === 'text' && /^\[(variables|component)/.test(code))
