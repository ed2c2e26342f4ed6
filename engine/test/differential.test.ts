import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePrelude } from '../prelude.ts'

interface Fact {
  name: string
  value: unknown
  expected: unknown
  /** What Node does instead of what the specification says. */
  node?: unknown
  engine?: unknown
}

const here = import.meta.dirname
const engine = process.env['FTL_ENGINE_FILE'] ?? join(here, '../engine.wasm')
// It has no types, and is not there for every system.
const wizerPackage: string = '@bytecodealliance/wizer'
const wizer = await import(wizerPackage).then(
  (module: { default: string }) => module.default,
  () => undefined,
)
const reason = !existsSync(engine)
  ? `there is no ${engine}: build the engine, or name it in FTL_ENGINE_FILE`
  : wizer === undefined
    ? 'there is no wizer for this system'
    : undefined

const text = (path: string) => readFile(join(here, path), 'utf8')

/** The source of a case; `internal-` cases see what the prelude gives to the native part. */
async function sourceOf(name: string) {
  const internals = name.startsWith('internal-')
    ? `${await text('internals.js')}\n;{${await makePrelude()}}\n`
    : ''
  return (await text('harness.js')) + internals + (await text(`cases/${name}`))
}

async function output(command: string, args: string[], input: string) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let all = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (all += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (all += part))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${all.slice(-4000)}`)
  return all
}

async function runIn(where: 'engine' | 'node', name: string) {
  const source = await sourceOf(name)
  const dir = await mkdtemp(join(tmpdir(), 'ftl-engine-'))
  try {
    if (where === 'node') {
      await writeFile(join(dir, 'case.mjs'), source)
      return await output(process.execPath, ['--no-warnings', join(dir, 'case.mjs')], '')
    }
    const flags = ['--allow-wasi', '--wasm-bulk-memory', 'true', engine]
    return await output(wizer!, [...flags, '-o', join(dir, 'case.wasm')], source)
  } finally {
    await rm(dir, { recursive: true })
  }
}

const factsOf = (printed: string) =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('{"name"'))
    .map((line) => JSON.parse(line) as Fact)

/** What is printed after each line `# name`. */
const sectionsOf = (printed: string) =>
  Object.fromEntries(
    printed
      .split(/^# /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  )

const cases = (await readdir(join(here, 'cases'))).sort()
const isNode26 = Number(process.versions.node.split('.')[0]) >= 26

test('the cases have hundreds of facts', async () => {
  const sources = await Promise.all(cases.map((name) => text(`cases/${name}`)))
  const count = sources.join('').match(/\bfact\(/g)?.length ?? 0
  expect(count).toBeGreaterThan(400)
})

describe.skipIf(reason !== undefined)(
  `in the engine${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    test.each(cases.filter((name) => name !== 'console.js'))(
      '%s',
      { timeout: 120_000 },
      async (name) => {
        const facts = factsOf(await runIn('engine', name))
        expect(facts.length).toBeGreaterThan(5)
        const wrong = facts.filter((fact) => {
          const wanted = 'engine' in fact ? fact.engine : fact.expected
          return JSON.stringify(fact.value) !== JSON.stringify(wanted)
        })
        expect(wrong).toEqual([])
      },
    )

    test.skipIf(!isNode26)('console prints what Node prints', { timeout: 120_000 }, async () => {
      const [node, ours] = await Promise.all([
        runIn('node', 'console.js'),
        runIn('engine', 'console.js'),
      ])
      expect(sectionsOf(ours)).toEqual(sectionsOf(node))
    })
  },
)

describe.skipIf(!isNode26)('in Node, which is how we know what a case expects', () => {
  test.each(cases.filter((name) => name !== 'console.js'))(
    '%s',
    { timeout: 120_000 },
    async (name) => {
      const facts = factsOf(await runIn('node', name))
      expect(facts.length).toBeGreaterThan(5)
      const wrong = facts.filter((fact) => {
        const wanted = 'node' in fact ? fact.node : fact.expected
        return JSON.stringify(fact.value) !== JSON.stringify(wanted)
      })
      expect(wrong).toEqual([])
    },
  )
})
