import { describe, expect, it } from 'vitest'
import { answer, approvalWorld, ask, KEY, said } from '../testing/approval-world.ts'
import { text } from '../testing/components.ts'

describe('a client of 2026-07-28 that can be asked', () => {
  it('is asked with tool, component and arguments, and the call runs when it accepts', async () => {
    const made = approvalWorld()
    const { result } = await ask(made, { name: 'delete' })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
    const { params } = result.inputRequests?.[KEY] ?? {
      params: { message: '', requestedSchema: {} },
    }
    expect(params.message).toBe(
      'Approve this call?\nTool: delete\nComponent: files\nArguments: {\n  "path": "/a"\n}',
    )
    const { requestState } = result
    const done = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(done.result).toMatchObject(text('did /delete'))
    // The component receives what it would have received at once.
    expect(made.ran).toEqual([{ path: '/delete', type: 'application/json', body: { path: '/a' } }])
  })

  it('is not asked for a tool that the policy allows', async () => {
    const made = approvalWorld()
    expect((await ask(made, { name: 'read' })).result).toMatchObject(text('did /read'))
  })

  it('is asked only for arguments that fit', async () => {
    const made = approvalWorld()
    const { result } = await ask(made, { name: 'delete', arguments: { path: 5 } })
    expect(result).toMatchObject({ isError: true })
  })

  it('sees hidden characters in the arguments, and how much is not shown', async () => {
    const made = approvalWorld()
    const path = `\u202e${'x'.repeat(9_000)}`
    const { result } = await ask(made, { name: 'delete', arguments: { path } })
    const message = result.inputRequests?.[KEY]?.params.message ?? ''
    expect(message).toContain('"path": "\\u202ex')
    expect(message).toMatch(/… and \d+ characters that are not shown$/)
  })

  it.each([
    ['decline', 'it was declined'],
    ['cancel', 'the question was cancelled'],
  ])('and answers %s: nothing runs, also if it then accepts', async (action, reason) => {
    const made = approvalWorld()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const answered = await ask(made, { name: 'delete', requestState, ...answer(action) })
    expect(answered.result.isError).toBe(true)
    expect(said(answered)).toContain(reason)
    const again = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(said(again)).toContain('was used before')
    expect(made.ran).toEqual([])
  })

  it.each([
    {},
    { [KEY]: null },
    { [KEY]: { action: 'ACCEPT' } },
    { [KEY]: true },
    { other: { action: 'accept' } },
  ])('is asked again when its answer is %j', async (inputResponses) => {
    const made = approvalWorld()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const { result } = await ask(made, { name: 'delete', requestState, inputResponses })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
  })

  it('cannot answer before it was asked', async () => {
    const made = approvalWorld()
    const { result } = await ask(made, { name: 'delete', ...answer('accept') })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
  })
})

describe.each([true, false])('a component that asks itself (keeps state: %s)', (keepsState) => {
  it('is answered after the approval, and the approval is valid for that call only', async () => {
    const made = approvalWorld({ keepsState })
    const first = (await ask(made, { name: 'rename' })).result
    expect(Object.keys(first.inputRequests ?? {})).toEqual([KEY])
    const approved = { name: 'rename', requestState: first.requestState, ...answer('accept') }
    const second = (await ask(made, approved)).result
    expect(Object.keys(second.inputRequests ?? {})).toEqual(['to'])
    const inputResponses = { to: { action: 'accept', content: { name: '/b' } } }
    const repeated = { name: 'rename', requestState: second.requestState, inputResponses }
    const third = await ask(made, repeated)
    expect(third.result).toMatchObject(text('did /rename'))
    expect(made.ran.map(({ body }) => body)).toEqual([
      { path: '/a' },
      { arguments: { path: '/a' }, inputResponses, ...(keepsState && { requestState: 'noted' }) },
    ])
    expect(said(await ask(made, repeated))).toContain('was used before')
    expect(made.ran).toHaveLength(2)
    // The answer to the component without its state is a new call, which needs an approval.
    const bare = (await ask(made, { name: 'rename', inputResponses })).result
    expect(Object.keys(bare.inputRequests ?? {})).toEqual([KEY])
  })
})
