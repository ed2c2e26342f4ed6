/** Plays a guide: types its commands, writes its files, and does what its sentences ask for. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Answer, Background, Terminal, Typed } from './terminal.ts'
import { mergeToml } from './manifest-lines.ts'
import { commandLines, namedFile, shownCommands, type Step, stepsOf } from './page.ts'
import type { Transcript } from './transcript.ts'

/** What a sentence asks for that is not in a block. */
export interface Deed {
  /** Part of the sentence. */
  when: RegExp
  /** Whether it is done after the block that follows the sentence. @default false */
  after?: boolean
  act: (guide: Guide) => Promise<void>
}

export interface GuideOptions {
  terminal: Terminal
  transcript: Transcript
  deeds: readonly Deed[]
  /** Folder of the packed packages. */
  packages: string
  /** By port of the guide, the one that is used instead. */
  ports: ReadonlyMap<number, number>
}

/** Where the guides say that the clone of the reader is. */
const CLONE = '/path/to/clone/dist/packages'

/** Commands that go on until they are stopped, and what they print when they are ready. */
const SERVING: readonly [RegExp, string][] = [
  [/^npm run dev\b/, 'watching for changes'],
  [/^npx ftl up\b/, 'Available Routes'],
]

export class Guide {
  readonly #options: GuideOptions
  readonly #todo: Set<Deed>
  /** What serves the application now. */
  served: Background | undefined
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

  async #playBlock({ page, prose, block }: Step): Promise<void> {
    if (!block) return
    const { language, marks, line } = block
    const code = this.adapted(block.code)
    const file = marks.find((mark) => mark.endsWith('.ts')) ?? namedFile(prose)
    this.transcript.write(`\n[${page}:${line}]`)
    if (language === 'sh') {
      for (const command of commandLines(code)) await this.type(command)
    } else if (language === 'console') {
      for (const { command, output } of shownCommands(code)) {
        await this.type(command)
        this.transcript.check(
          `it prints what the guide shows: ${output}`,
          this.last.output.trim() === output,
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

  async type(command: string, answer?: Answer): Promise<void> {
    if (command === 'npm ci' || command === 'npm run pack') {
      this.transcript.act(`(done before, in the clone: ${command})`)
    } else if (command.startsWith('cd ')) {
      this.terminal.folder = resolve(this.terminal.folder, command.slice(3))
      this.transcript.write(`$ ${command}`)
    } else {
      const [, ready] = SERVING.find(([pattern]) => pattern.test(command)) ?? []
      if (ready !== undefined) return this.serve(command, ready)
      this.last = await this.terminal.type(command, answer)
      this.transcript.check(`"${command}" ends well`, this.last.code === 0)
    }
  }

  async serve(command: string, ready: string): Promise<void> {
    const { ports } = this.#options
    const own = ports.get(3000) ?? 3000
    // The guides name no port where it is the default.
    const address = own === 3000 || command.includes('--listen') ? '' : `--listen 127.0.0.1:${own}`
    const dashes = command.startsWith('npm ') && address !== '' ? ' -- ' : ' '
    const began = performance.now()
    this.served = this.terminal.start(`${command}${dashes}${address}`.trim())
    await this.served.says(ready)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    this.transcript.figure(`from "${command}" to "${ready}"`, `${seconds} s`)
    this.served.news()
  }

  async stop(): Promise<void> {
    this.transcript.act('Ctrl-C in the terminal that serves')
    await this.served?.stop()
    this.served?.news()
    this.served = undefined
  }

  /** Waits for the reload, and shows what the terminal of `npm run dev` says. */
  async saved(): Promise<string> {
    await this.served?.says('serving the change')
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
    this.transcript.act(`edits ${file}`)
  }

  /** A text of the guide with the folders and ports of this run. */
  adapted(text: string): string {
    const { packages, ports } = this.#options
    let adapted = text.replaceAll(CLONE, packages)
    for (const [port, own] of ports) adapted = adapted.replaceAll(`:${port}`, `:${own}`)
    return adapted.replaceAll(/listen\((\d+),/g, (whole, port: string) => {
      return whole.replace(port, String(ports.get(Number(port)) ?? port))
    })
  }
}

const isManifest = (language: string, code: string): boolean =>
  language === 'toml' || (language === 'text' && /^\[(variables|component)/.test(code))
