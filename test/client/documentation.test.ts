// The examples of docs/client.md, as they are printed: each runs as a program of its own.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { REPOSITORY } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { descendants } from '../support/processes.ts'

/** What each prints, at least; the first is named by the heading it stands below, further ones are counted. */
const PRINTS: Record<string, (string | RegExp)[]> = {
  'One server': ['read_text_file: ', '[FILE] package.json'],
  'Many servers': [
    /^broken is left out: server "broken" could not be started: "no-such-command" is not found/m,
    '[filesystem] read_text_file',
    '[memory] read_graph',
    'writes programs',
  ],
  'Configuration files': [/deniedTools: \[ 'write_file' \]/, 'write_file is denied'],
  'Set the environment of a server': [/^true$/m],
  'What can go wrong': [/the tool says:.*Access denied/],
  Jobs: [/"mimeType":"image\/png"|\.png/],
  'Jobs, 2': ['status ', /\.png/],
  'Resources, prompts and everything else': ['tools', '"name":"simple-prompt"', '"role":"user"'],
}
const NOT_PRINTED: Record<string, string[]> = { 'Many servers': ['[filesystem] write_file'] }

/** Most start servers, which takes a busy machine longer than a test usually has. */
const PATIENCE_MS = 120_000

const examples = await readExamples()

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

it('every example has something to print', () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(PRINTS))
})

it.each(examples)(
  '$title',
  async ({ title, code, needsGateway }) => {
    const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.ts`)
    await writeFile(file, code.replaceAll('http://127.0.0.1:3000', application.url))
    const before = (await descendants(process.pid)).length
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: REPOSITORY,
      env: { ...process.env, TMPDIR: folder },
      timeout: PATIENCE_MS,
    })
    for (const expected of PRINTS[title]!) expect(stdout).toMatch(expected)
    for (const unexpected of NOT_PRINTED[title] ?? []) expect(stdout).not.toContain(unexpected)
    expect((await descendants(process.pid)).length).toBe(before)
    expect(needsGateway).toBe(code.includes('127.0.0.1:3000'))
  },
  1.5 * PATIENCE_MS,
)

async function readExamples() {
  const text = await readFile(new URL('../../docs/client.md', import.meta.url), 'utf8')
  const examples: { title: string; code: string; needsGateway: boolean }[] = []
  for (const section of text.split(/^(?=## )/m)) {
    const [, heading = ''] = /^## (.*)$/m.exec(section) ?? []
    let count = 0
    for (const [, gateway, code = ''] of section.matchAll(/```ts( gateway)?\n([\s\S]*?)```/g)) {
      const title = ++count === 1 ? heading : `${heading}, ${count}`
      examples.push({ title, code, needsGateway: gateway !== undefined })
    }
  }
  return examples
}
