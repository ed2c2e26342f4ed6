// The MCP contract within the limits of Akamai Functions: `ftl up --platform akamai`.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Outcome } from '../on-spin/outcome.ts'
import { OUTCOME_FILE } from '../on-spin/outcome-reporter.ts'
import { REPOSITORY } from '../support/command.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { PLATFORM_VARIABLE } from './mcp/application.ts'

/** Far fewer would mean that the tests were not found. */
const LEAST = 800

// A failed test ends the program with 1, and its name is in the file.
const ignoreEnd = () => {}

it.skipIf(EXTERNAL_URL !== undefined)(
  'holds on Akamai Functions',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ftl-platform-'))
    try {
      const file = join(folder, 'outcome.json')
      await promisify(execFile)(
        process.execPath,
        [
          ...[join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run', 'test/contract/mcp/'],
          ...[
            '--project',
            'system',
            '--reporter',
            join(REPOSITORY, 'test/on-spin/outcome-reporter.ts'),
          ],
        ],
        {
          cwd: REPOSITORY,
          env: { ...process.env, [OUTCOME_FILE]: file, [PLATFORM_VARIABLE]: 'akamai' },
        },
      ).catch(ignoreEnd)
      const { passed, failed } = JSON.parse(await readFile(file, 'utf8')) as Outcome
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThan(LEAST)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
