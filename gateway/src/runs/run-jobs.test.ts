import { describe, expect, it } from 'vitest'
import { as } from '../testing/api-keys.ts'
import { call as rpcCall } from '../testing/components.ts'
import { ONE, RUN } from '../testing/paused-run.ts'
import { request } from '../testing/rest.ts'
import { APPROVAL, runWorld } from '../testing/run-world.ts'
import { silence } from '../testing/silence.ts'

silence('error')

const NO_WAIT = { 'ftl/wait_ms': 0 }

describe('a run of any client, with journal=always', () => {
  const legacy = { 'mcp-protocol-version': '2025-11-25' }

  it('becomes a job when it takes longer, which get_job reads', async () => {
    let go: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        await gate
        return 'done'
      },
      { variables: { program_limits: 'journal=always' } },
    )
    const headers = { ...as('ada'), ...legacy }
    const params = { ...RUN, _meta: NO_WAIT }
    const handle = JSON.stringify(
      await made.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers),
    )
    const id = /"job_id":"([^"]+)"/.exec(handle)?.[1]
    expect(handle).toContain('"status":"working"')
    go?.()
    await made.platform.settled()
    made.lasting.clock.now += 1_000
    const read = await made.rpc(rpcCall('get_job', { job_id: id }), headers)
    expect(read).toMatchObject({ result: { content: [{ text: 'done' }] } })
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('ends its job with a token, and a call with it continues the run as another job', async () => {
    let gate: Promise<void> | undefined
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        await gate
        const [first] = (await call('files', 'delete', { path: '/a' })).content
        return (first as { text: string }).text
      },
      { variables: { program_limits: 'journal=always' } },
    )
    const send = async (meta = {}) => {
      let go: (() => void) | undefined
      gate = new Promise<void>((resolve) => (go = resolve))
      const answer = JSON.stringify(
        await made.rpc(
          {
            ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
            params: { ...RUN, _meta: { ...NO_WAIT, ...meta } },
          },
          { ...as('ada'), ...legacy },
        ),
      )
      go?.()
      await made.platform.settled()
      made.lasting.clock.now += 1_000
      const id = /"job_id":"([^"]+)"/.exec(answer)?.[1] ?? ''
      const response = await made.send(request(`/jobs/${id}`, { headers: as('ada') }))
      return { id, text: await response.text() }
    }
    const first = await send()
    const token = /"token":"([^"]+)"/.exec(first.text)?.[1]
    expect(token).toBeDefined()
    const second = await send({ [APPROVAL]: token })
    expect(second.text).toContain('did delete /a')
    expect(second.id).not.toBe(first.id)
    expect(made.lasting.ran).toEqual([ONE, 'delete {"path":"/a"}'])
  })
})
