/**
 * Runs the official conformance suite and reads what it wrote.
 *
 * @see https://github.com/modelcontextprotocol/conformance
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseLists } from './lists.ts'
import type { Check, Scenario } from './judge.ts'

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/', import.meta.url),
)

export interface SuiteOptions {
  /** Origin of the gateway; one scenario wants it to say `localhost`. */
  url: string
  /** Revision of the protocol, which is also the name of its requirements. */
  revision: string
  /** Runs this scenario alone. @default every scenario of the revision */
  scenario?: string | undefined
  /** Gets what the suite prints. */
  onOutput?: ((chunk: string) => void) | undefined
}

/** Scenarios a revision scores, in the order of its requirements. */
export async function scoredScenarios(revision: string): Promise<string[]> {
  const yaml = await readFile(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8')
  return parseLists(yaml).get('server') ?? []
}

/** @throws {Error} with what the suite printed, when it wrote no results. */
export async function runSuite({
  url,
  revision,
  scenario,
  onOutput = () => {},
}: SuiteOptions): Promise<Scenario[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-conformance-'))
  try {
    let output = ''
    const code = await run(
      [
        ...[join(SUITE, 'dist', 'index.js'), 'server', '--url', `${url}/mcp`, '-o', folder],
        ...(scenario === undefined
          ? ['--requirements', revision]
          : ['--scenario', scenario, '--spec-version', revision, '--force']),
      ],
      (chunk) => {
        output += chunk
        onOutput(chunk)
      },
    )
    const scenarios = await readResults(folder)
    // The suite's exit code says that something failed, which its results say better.
    if (scenarios.length === 0) {
      throw new Error(`the conformance suite ended with ${code} and no results:\n${output}`)
    }
    return scenarios
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(args: string[], onOutput: (chunk: string) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', onOutput)
    }
    child.on('error', reject).on('close', resolve)
  })
}

/** The name of a scenario is only in its folder's: `server-{scenario}-{time}`. */
async function readResults(folder: string): Promise<Scenario[]> {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (folderName) => ({
      name: folderName.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      checks: JSON.parse(
        // A scenario that threw has a folder without results.
        await readFile(join(folder, folderName, 'checks.json'), 'utf8').catch(() => '[]'),
      ) as Check[],
    })),
  )
}
