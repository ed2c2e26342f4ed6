// The client scenarios of the official suite. The suite starts the client as a program: `client.ts`.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Check } from '../../conformance/judge.ts'
import { parseLists } from '../../conformance/lists.ts'

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/', import.meta.url),
)
const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url))

/** Scenarios the suite scores and this client does not pass, with the reason. */
const NOT_PASSED = [{ scenario: /^auth\//, reason: 'the client gets no OAuth tokens by itself' }]

const PASSED = {
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
}

const cases = Object.entries(PASSED).flatMap(([revision, scenarios]) =>
  scenarios.map((scenario) => ({ revision, scenario })),
)

it.each(Object.entries(PASSED))(
  '%s: every scored scenario is passed or has a reason',
  async (revision, passed) => {
    const yaml = await readFile(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8')
    const scored = parseLists(yaml).get('client') ?? []
    const left = scored.filter((name) => !NOT_PASSED.some(({ scenario }) => scenario.test(name)))
    expect(left.toSorted()).toEqual(passed.toSorted())
  },
)

it.each(cases)('$revision: $scenario', async ({ revision, scenario }) => {
  const { checks, output } = await run(scenario, revision)
  const troubles = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  expect(troubles, output).toEqual([])
  expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThan(0)
})

async function run(
  scenario: string,
  revision: string,
): Promise<{ checks: Check[]; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-conformance-'))
  try {
    const command = `"${process.execPath}" "${CLIENT}"`
    const args = [
      'client',
      '--command',
      command,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
    ]
    const suite = spawn(
      process.execPath,
      [join(SUITE, 'dist', 'index.js'), ...args, '-o', folder],
      {
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const output = (await Promise.all([text(suite.stdout), text(suite.stderr)])).join('\n')
    const [result] = await readdir(folder)
    if (result === undefined) throw new Error(`the suite wrote no results:\n${output}`)
    const json = await readFile(join(folder, result, 'checks.json'), 'utf8')
    return { checks: JSON.parse(json) as Check[], output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
