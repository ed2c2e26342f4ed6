// The MCP contract of an application that is one component, `ftl build --single`: on the embedded host, or on the Spin
// that FTL_TEST_SPIN names.
import { dirname, join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { startSpin } from '../on-spin/spin.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { freePort, ftl } from '../support/command.ts'
import { PUT_TOGETHER, PUT_TOGETHER_NAME } from '../support/manifests.ts'
import { mcpContract } from '../support/mcp-contract.ts'
import { asEnvironment } from '../support/scripts.ts'
import { onHost, type Start } from './mcp/application.ts'

const MANIFEST = join(dirname(PUT_TOGETHER), 'spin-single.toml')
const SPIN = process.env['FTL_TEST_SPIN']

const onSpin =
  (spin: string): Start =>
  async (variables) =>
    startSpin({ spin, manifest: MANIFEST, port: await freePort(), env: asEnvironment(variables) })

beforeAll(async () => {
  if (EXTERNAL_URL !== undefined) return
  const build = ftl(['build', '--single', '--from', PUT_TOGETHER])
  expect(await build.exited, build.output()).toBe(0)
})

mcpContract(SPIN === undefined ? onHost({ manifest: MANIFEST }) : onSpin(SPIN), PUT_TOGETHER_NAME)
