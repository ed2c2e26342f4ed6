import { expect, it } from 'vitest'
import { InsufficientScope } from '../insufficient-scope.ts'
import { CallerPermissions } from './caller-permissions.ts'
import type { Target } from '../permissions.ts'
import type { Rule } from './policy.ts'

const tool = (name: string): Target => ({ kind: 'tool', component: 'one', name })

function permissions(...rules: Rule[]) {
  const caller = { principal: 'ada', scopes: ['a'] }
  return new CallerPermissions({ rules }, caller, (scopes) => ({ wanted: scopes.join(' ') }))
}

it('remembers each decision about a use under the name that the client sent', () => {
  const own = permissions(
    { effect: 'ask', tools: ['x'] },
    { effect: 'deny', name: 'no', tools: ['y'] },
  )
  expect(own.mayUse(tool('x'), 'x')).toBe(true)
  expect(own.mayUse(tool('y'), 'own name')).toBe(false)
  expect(own.mayUse(tool('z'), 'z')).toBe(false)
  expect(own.decisionOn('tool', 'x')).toMatchObject({ effect: 'ask', rule: 1 })
  expect(own.decisionOn('tool', 'own name')).toMatchObject({ effect: 'deny', rule: 2 })
  expect(own.decisionOn('tool', 'z')).toMatchObject({ effect: 'deny', rule: undefined })
  expect(own.decisionOn('tool', 'y')).toBeUndefined()
  expect(own.decisionOn('prompt', 'x')).toBeUndefined()
  expect(own.decisionOn('tool', '__proto__')).toBeUndefined()
})

it('a look at a list is no decision about a use', () => {
  const own = permissions({ effect: 'allow' })
  expect(own.mayList(tool('x'))).toBe(true)
  expect(own.mayFind(tool('x'))).toBe(true)
  expect(own.decisionOn('tool', 'x')).toBeUndefined()
})

it('lists only what may be used, and what may be used need not be listed', () => {
  const listing = permissions({ effect: 'allow', actions: ['list'] })
  expect(listing.mayList(tool('x'))).toBe(false)
  expect(listing.mayUse(tool('x'), 'x')).toBe(false)
  const calling = permissions({ effect: 'allow', actions: ['call'] })
  expect(calling.mayList(tool('x'))).toBe(false)
  expect(calling.mayUse(tool('x'), 'x')).toBe(true)
})

it('throws if only scopes are missing, and remembers that, too', () => {
  const own = permissions({ effect: 'allow', scopes: ['a', 'b'] })
  expect(() => own.mayUse(tool('x'), 'x')).toThrow(InsufficientScope)
  expect(own.decisionOn('tool', 'x')).toMatchObject({ effect: 'deny', scopes: ['a', 'b'] })
  expect(own.mayList(tool('x'))).toBe(false)
  expect(own.mayFind(tool('x'))).toBe(true)
})
