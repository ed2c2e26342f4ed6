/** Types what README.md prints: in a clone, and where it says so in a folder outside of it. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Block } from '../docs/blocks/blocks.ts'
import { commandLines, stepsOf } from './page.ts'
import type { Background, Terminal } from './terminal.ts'
import type { Transcript } from './transcript.ts'

const PAGE = 'README.md'

/** Lines that this does not type, and why. */
export const NOT_TYPED: readonly [line: RegExp, why: string][] = [
  [/^npm ci && npm test$/, 'it is the run that this test belongs to'],
  [
    /^npx @modelcontextprotocol\/inspector /,
    'npx fetches it from npm; test/jobs has a test with it',
  ],
  [/^npm run pack$/, 'it was run before: the packages are those of the test'],
]

/** Lines that serve until they are stopped, and what they print when they are ready. */
const SERVING: readonly [line: RegExp, ready: string][] = [
  [/^npm ci && npm start$/, 'Ctrl-C ends everything'],
  [/^npm run dev$/, 'watching for changes'],
]

/** Where README says that the clone of the reader is. */
const CLONE = '/path/to/clone'

export interface ReadmeOptions {
  terminal: Terminal
  transcript: Transcript
  /** Folder of the clone. */
  clone: string
  /** Folder of the packed packages. */
  packages: string
  /** A free port, and two after it that are free. */
  port: number
}

export async function playReadme(options: ReadmeOptions): Promise<void> {
  const { terminal, transcript, clone } = options
  let served: Background | undefined
  let id = ''
  transcript.heading('README, as printed, in a clone')
  const type = async (line: string) => {
    const [, why] = NOT_TYPED.find(([pattern]) => pattern.test(line)) ?? []
    if (why !== undefined) return transcript.act(`(not typed: ${line}: ${why})`)
    const [, ready] = SERVING.find(([pattern]) => pattern.test(line)) ?? []
    if (ready !== undefined) {
      await served?.stop()
      served = terminal.start(servingLine(line, options))
      await served.says(ready, 240_000)
      served.news()
      return
    }
    const asked = adapted(line, options).replaceAll('STREAM_ID', id)
    if (asked.includes('/outputs/')) await untilDone(terminal, options.port, id)
    const { output, code } = await terminal.type(asked)
    transcript.check(`"${line}" ends well`, code === 0)
    if (/^curl/.test(line) && !line.includes(' -o ')) {
      transcript.check(
        `"${line.slice(0, 60)}" gives no error`,
        !/^\{("jsonrpc":"2\.0",)?"error"/.test(output),
      )
    }
    id = /"(?:stream_id|job_id|id)":"([\da-f]{8}-[\da-f-]{27})"/.exec(output)?.[1] ?? id
  }
  for (const { block } of await stepsOf(PAGE)) {
    if (!block || !isShell(block)) continue
    transcript.write(`\n[${PAGE}:${block.line}]`)
    const isOutside = block.marks.includes('elsewhere')
    terminal.folder = isOutside ? join(clone, '..', 'elsewhere') : clone
    await mkdir(terminal.folder, { recursive: true })
    for (const line of commandLines(block.code)) await type(line)
  }
  await served?.stop()
}

const isShell = ({ language }: Block): boolean => language === 'sh'

/** Free ports instead of those that another program of this machine may have; what was installed is not again. */
function servingLine(line: string, { port }: ReadmeOptions): string {
  const ports = `--listen 127.0.0.1:${port} --bridge-port ${port + 1} --comfyui-port ${port + 2}`
  return `${line.replace(/^npm ci && /, '')} -- ${ports}`
}

function adapted(line: string, { port, packages }: ReadmeOptions): string {
  return line.replaceAll(`${CLONE}/dist/packages`, packages).replaceAll(':3000', `:${port}`)
}

/** A reader polls until the status is "completed". */
async function untilDone(terminal: Terminal, port: number, id: string): Promise<void> {
  for (let look = 0; look < 60; look++) {
    const { output } = await terminal.type(`curl -s http://127.0.0.1:${port}/jobs/${id}`)
    if (!/"status":"(working|submitting)"/.test(output)) return
    await pause(1000)
  }
}
