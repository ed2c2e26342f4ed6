import { expect, test, vi } from 'vitest'
import { CallTree } from './call-tree.ts'

const components = ['gateway', 'echo']
const guest = () => ({ abandon: vi.fn() })

test('places say to whom a call goes and how often one went there before', () => {
  const tree = new CallTree({ id: 7, components })
  expect(tree.place('gateway').guest).toEqual({ request: 7, component: 0, nth: 0 })
  expect(tree.place('echo').guest).toEqual({ request: 7, component: 1, nth: 0 })
  expect(tree.place('echo').guest).toEqual({ request: 7, component: 1, nth: 1 })
  expect(tree.chain).toEqual(['gateway', 'echo', 'echo'])
})

test('the call to be avoided is one of several', () => {
  const tree = new CallTree({ id: 1, components, avoid: [{ component: 'echo', nth: 1 }] })
  expect(tree.avoids(tree.place('echo'))).toBe(false)
  expect(tree.avoids(tree.place('echo'))).toBe(true)
  expect(tree.avoids(tree.place('gateway'))).toBe(false)
})

test('what a guest changes is told once for each guest', () => {
  const onEffect = vi.fn()
  const tree = new CallTree({ id: 1, components, onEffect })
  const [first, second] = [tree.place('echo'), tree.place('echo')]
  tree.effect(first)
  tree.effect(first)
  tree.effect(second)
  expect(onEffect.mock.calls).toEqual([
    [{ component: 'echo', nth: 0 }],
    [{ component: 'echo', nth: 1 }],
  ])
})

test('it ends with its last guest, which need not be the first', () => {
  const onEnd = vi.fn()
  const tree = new CallTree({ id: 1, components, onEnd })
  const [caller, callee] = [guest(), guest()]
  tree.start(caller)
  tree.start(callee)
  tree.end(caller)
  expect(onEnd).not.toHaveBeenCalled()
  tree.end(callee)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a call from another thread brings along what is known of the client and of the user', () => {
  const origin = {
    depth: 2,
    headers: [['x-forwarded-user', 'ada']] as const,
    callers: [['ftl-principal', 'ada']] as const,
  }
  const tree = new CallTree({ id: 1, components, headers: [['x-forwarded-user', 'eve']], origin })
  expect(tree.outside('x-forwarded-user')).toBe('ada')
  expect([...tree.callers]).toEqual([['ftl-principal', 'ada']])
})

test('when it is abandoned every guest is, also one that begins later', () => {
  const tree = new CallTree({ id: 1, components })
  const [early, late] = [guest(), guest()]
  tree.start(early)
  tree.abandon('too long')
  tree.start(late)
  expect(early.abandon).toHaveBeenCalledWith('too long')
  expect(late.abandon).toHaveBeenCalledWith('too long')
})
