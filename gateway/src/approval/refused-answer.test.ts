import { describe, expect, it, vi } from 'vitest'
import {
  answer,
  type ApprovalWorld,
  approvalWorld,
  ask,
  type Asked,
  said,
  TTL_MS,
} from '../testing/approval-world.ts'

describe('an answer is refused', () => {
  const refusals: [string, (made: ApprovalWorld, state: string) => Promise<Asked>, RegExp][] = [
    [
      'with other arguments',
      (made, requestState) =>
        ask(made, { name: 'delete', arguments: { path: '/' }, requestState, ...answer('accept') }),
      /was not issued for this request/,
    ],
    [
      'of another caller',
      (made, requestState) =>
        ask(made, { name: 'delete', requestState, ...answer('accept') }, { who: 'eve' }),
      /was not issued for this request/,
    ],
    [
      'for another tool',
      (made, requestState) => ask(made, { name: 'rename', requestState, ...answer('accept') }),
      /was not issued for this request/,
    ],
    [
      'after it has expired',
      (made, requestState) => {
        made.clock.now += TTL_MS + 1
        return ask(made, { name: 'delete', requestState, ...answer('accept') })
      },
      /has expired/,
    ],
    [
      'that was used before',
      async (made, requestState) => {
        await ask(made, { name: 'delete', requestState, ...answer('accept') })
        expect(made.ran.splice(0)).toHaveLength(1)
        return ask(made, { name: 'delete', requestState, ...answer('accept') })
      },
      /was used before, and is valid for one call/,
    ],
  ]
  it.each(refusals)('%s', async (_what, repeat, reason) => {
    const made = approvalWorld()
    const { requestState = '' } = (await ask(made, { name: 'delete' })).result
    const answered = await repeat(made, requestState)
    expect(said(answered)).toMatch(reason)
    expect(made.ran).toEqual([])
  })

  it('for a tool of another component with the same name', async () => {
    const made = approvalWorld()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const answered = await ask(
      made,
      { name: 'delete', requestState, ...answer('accept') },
      { path: '/mcp/x/other' },
    )
    expect(JSON.stringify(answered)).toContain('a tool of another component')
    expect(made.ran).toEqual([])
  })

  it('when the gateway cannot record it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const made = approvalWorld()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const store = await made.platform.openKeyValue('default')
    vi.spyOn(store, 'set').mockRejectedValue(new Error('full'))
    made.platform.openKeyValue = async () => store
    const answered = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(said(answered)).toContain('cannot record the approval')
    expect(made.ran).toEqual([])
  })
})
