// What the pages tell a reader to send to the gateway, sent to one: every line with curl, every block `ts gateway`.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { REPOSITORY } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { allBlocks, at, type Block } from './blocks/blocks.ts'
import { ELSEWHERE } from './blocks/coverage.ts'
import { shellCommands } from './blocks/shell-words.ts'
import { moduleText } from './blocks/typescript.ts'

const run = promisify(execFile)

/** The beginning of an mp4 file, by which its type is recognized. */
const VIDEO = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'),
  Buffer.alloc(1000),
])

/** The address the pages name. */
const SHOWN = 'http://127.0.0.1:3000'

const blocks = (await allBlocks()).filter(
  ({ page, language, marks }) =>
    !marks.includes('elsewhere') &&
    ELSEWHERE[page]?.languages.includes([language, ...marks].join(' ')) !== true,
)
const programs = blocks.filter(({ marks }) => marks.includes('gateway'))
const curls = curlLines(blocks.filter(({ language }) => language === 'sh'))
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

let application: TestApplication
let folder: string
beforeAll(async () => {
  application = await startApplication({ manifest: MANIFESTS.application })
  // Inside the repository, where its packages are found.
  folder = await mkdtemp(join(dirname(fileURLToPath(import.meta.url)), '.examples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await application.close()
})

it('there is something to run', () => {
  expect(Object.keys(curls)).toEqual(expect.arrayContaining(['README.md', 'docs/http-api.md']))
  expect(programs.length).toBeGreaterThan(0)
})

describe.skipIf(!hasCurl)('each line with curl is answered well, in order', () => {
  it.each(Object.entries(curls))('%s', async (_, lines) => {
    const downloads = await mkdtemp(join(tmpdir(), 'ftl-curl-'))
    await writeFile(join(downloads, 'clip.mp4'), VIDEO)
    let id = ''
    try {
      for (const { where, words } of lines) {
        const { status, body } = await answered(words, id, downloads)
        expect(status, `${where}: ${body}`).toMatch(/^2\d\d$/)
        id = /"(?:stream_id|job_id|id)":"([\da-f]{8}-[\da-f-]{27})"/.exec(body)?.[1] ?? id
      }
    } finally {
      await rm(downloads, { recursive: true, force: true })
    }
  })
})

it.each(programs.map((block) => [at(block), block] as const))(
  'the program of %s runs to its end',
  async (name, block) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.ts`)
    await writeFile(file, moduleText(block, blocks).replaceAll(SHOWN, application.url))
    const { stdout } = await run(process.execPath, [file], { cwd: REPOSITORY, timeout: 25_000 })
    expect(stdout).not.toBe('')
  },
)

/** Runs it; `STREAM_ID` and `ID` are those of the answer before, whose file may take a moment to be made. */
async function answered(words: string[], id: string, cwd: string) {
  const filled = words.map((word) =>
    word.replaceAll(SHOWN, application.url).replaceAll(/\b(STREAM_ID|ID)\b/g, () => id),
  )
  const isOfJob = filled.some((word, index) => word !== words[index] && word.includes(id))
  const deadline = Date.now() + 20_000
  for (;;) {
    const { stdout } = await run('curl', [...filled, '-w', '\n%{http_code}'], { cwd })
    const end = stdout.lastIndexOf('\n')
    const [body, status] = [stdout.slice(0, end), stdout.slice(end + 1)]
    if (status.startsWith('2') || !isOfJob || id === '' || Date.now() > deadline) {
      return { status, body }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    // Nothing watches a job but who asks for it; a reader does so until it is done.
    await fetch(`${application.url}/jobs/${id}`)
  }
}

interface CurlLine {
  where: string
  words: string[]
}

/** By page: what is set in one block is known in the next. */
function curlLines(shell: Block[]): Record<string, CurlLine[]> {
  const known: Record<string, Record<string, string>> = {}
  const found: Record<string, CurlLine[]> = {}
  for (const block of shell) {
    for (const { words, line } of shellCommands(block.code, (known[block.page] ??= {}))) {
      const [name, ...args] = words
      if (name !== 'curl') continue
      ;(found[block.page] ??= []).push({
        where: `${block.page}:${block.line + 1 + line}`,
        words: args,
      })
    }
  }
  return found
}
