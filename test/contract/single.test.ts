// The MCP contract of an application that is one component: `ftl build --single`.
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { startSpin } from '../on-spin/spin.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { freePort, ftl } from '../support/command.ts'
import { LEAST_TESTS, runContract } from '../support/run-contract.ts'
import { MANIFEST_VARIABLE } from './mcp/application.ts'

const FOLDER = fileURLToPath(new URL('./single', import.meta.url))
const MANIFEST = `${FOLDER}/spin-single.toml`
const SPIN = process.env['FTL_TEST_SPIN']

describe.skipIf(EXTERNAL_URL !== undefined)('one component of gateway and tools', () => {
  beforeAll(async () => {
    const build = ftl(['build', '--single', '--from', FOLDER])
    expect(await build.exited, build.output()).toBe(0)
  })

  it('keeps the contract', { timeout: 600_000 }, async () => {
    const { passed, failed } = await runContract({ [MANIFEST_VARIABLE]: MANIFEST })
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(LEAST_TESTS)
  })

  it.skipIf(SPIN === undefined)('keeps it on Spin', { timeout: 900_000 }, async () => {
    const spin = await startSpin({ spin: SPIN ?? '', manifest: MANIFEST, port: await freePort() })
    try {
      const { passed, failed } = await runContract({ FTL_TEST_URL: spin.url })
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThan(LEAST_TESTS / 2)
    } finally {
      await spin.close()
    }
  })
})
