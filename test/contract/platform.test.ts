// The MCP contract within the limits of Akamai Functions: `ftl up --platform akamai`.
import { expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { LEAST_TESTS, runContract } from '../support/run-contract.ts'
import { PLATFORM_VARIABLE } from './mcp/application.ts'

it.skipIf(EXTERNAL_URL !== undefined)(
  'holds on Akamai Functions',
  { timeout: 300_000 },
  async () => {
    const { passed, failed } = await runContract({ [PLATFORM_VARIABLE]: 'akamai' })
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(LEAST_TESTS)
  },
)
