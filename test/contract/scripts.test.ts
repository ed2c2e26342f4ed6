// Components as Cloudflare Workers and as servers on Node: `ftl build --target`.
import { dirname } from 'node:path'
import { CHECKS, runChecks } from 'ftl/contract-test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS, PUT_TOGETHER } from '../support/manifests.ts'
import { buildScript, type RunningScript, startOnNode, startOnWorkerd } from '../support/scripts.ts'
import { sendRaw } from './mcp/client.ts'

const TARGETS = { node: startOnNode, workers: startOnWorkerd }

describe.skipIf(EXTERNAL_URL !== undefined).each(['node', 'workers'] as const)(
  'on %s',
  (target) => {
    describe('a component', () => {
      let running: RunningScript
      beforeAll(async () => {
        const from = dirname(MANIFESTS.kit)
        running = await TARGETS[target](
          await buildScript(['faulty', '--target', target, '--from', from]),
        )
      })
      afterAll(() => running?.close())

      it('keeps every rule of the component contract', async () => {
        const { verdicts } = await runChecks({ url: `${running.url}/none` })
        const kept = verdicts.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
        expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([])
        expect(kept).toEqual(CHECKS.map(({ id }) => id))
      })

      it('breaks a rule where the component does', async () => {
        const { verdicts } = await runChecks({ url: `${running.url}/call.unknown-tool` })
        const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
        expect(failed).toEqual(['call.unknown-tool'])
      })
    })

    describe('the gateway and its tools', () => {
      let running: RunningScript
      beforeAll(async () => {
        const folder = await buildScript(['--single', '--target', target, '--from', PUT_TOGETHER])
        running = await TARGETS[target](folder)
      })
      afterAll(() => running?.close())

      it('refuse a client that uses the name of a member', async () => {
        const headers = { 'content-type': 'application/json', host: 'everything.spin.internal' }
        const answer = await sendRaw(running.url, { headers, body: '{}' })
        expect(answer).toMatchObject({ status: 421, error: { code: 'misdirected' } })
      })
    })
  },
)
