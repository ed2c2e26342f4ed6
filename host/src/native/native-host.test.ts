import { expect, test, vi } from 'vitest'
import type { HttpResponse } from '../http/messages.ts'
import type { GuestRequest } from '../instance/services.ts'
import { KeyValueError, type KeyValueStore } from '../kv/key-value.ts'
import { VariableError } from '../variables/variable-error.ts'
import { serve, textOf } from './testing/serve.ts'

test('a variable that is not there is undefined, and one that cannot be read is an error', async () => {
  const { response } = serve(
    `let message = ''
     try { host.variable('broken') } catch (error) { message = error.message }
     return new Response([host.variable('there'), host.variable('returned'), host.variable('thrown'), message].join())`,
    {
      variable: (name) => {
        if (name === 'there') return 'value'
        if (name === 'returned') return new VariableError('undefined', 'no such variable')
        throw new VariableError(name === 'thrown' ? 'undefined' : 'provider', 'secret')
      },
    },
  )
  expect(await textOf(await response)).toBe(
    'value,,,The variable "broken" cannot be read from its provider.',
  )
})

test('a change of a store is reported before it is made', async () => {
  const order: string[] = []
  const store: KeyValueStore = {
    get: () => Buffer.from('old'),
    set: () => void order.push('set'),
    setIf: () => (order.push('setIf'), true),
    delete: () => void order.push('delete'),
    exists: () => Promise.resolve(true),
    keys: () => ['a'],
  }
  const tree = {
    since: 0,
    sender: '',
    effect: () => order.push('effect'),
  } as unknown as NonNullable<GuestRequest['tree']>
  const { response } = serve(
    `const store = host.openStore('default')
     const value = new TextDecoder().decode(await store.get('a'))
     await store.set('a', new Uint8Array(1))
     await store.setIf('a', undefined, new Uint8Array(1))
     await store.delete('a')
     return new Response([value, await store.exists('a'), await store.keys()].join())`,
    { openStore: () => store },
    {
      tree,
      place: {
        component: 'gateway',
        nth: 0,
        guest: { request: 1, component: 0, nth: 0 },
        effectReported: false,
      },
    },
  )
  expect(await textOf(await response)).toBe('old,true,a')
  expect(order).toEqual(['effect', 'set', 'effect', 'setIf', 'effect', 'delete'])
})

test('a store that it may not open is an error with its code', async () => {
  const { response } = serve(
    `try { host.openStore('other') } catch (error) { return new Response(error.code) }`,
    {
      openStore: () => {
        throw new KeyValueError('access-denied')
      },
    },
  )
  expect(await textOf(await response)).toBe('access-denied')
})

test('the run waits for work that outlives the response, and no failure of it ends the thread', async () => {
  let done = false
  vi.stubGlobal('finish', () => (done = true))
  const { run } = serve(
    `host.waitUntil(Promise.reject(new Error('lost')))
     host.waitUntil(new Promise((resolve) => setTimeout(resolve, 5)).then(finish))
     return new Response('')`,
  )
  expect(await run).toBe(true)
  expect(done).toBe(true)
  vi.unstubAllGlobals()
})

test('one that is ended stops where it waits, and gets nothing more of the host', async () => {
  const sent = vi.fn<() => Promise<HttpResponse>>(() => new Promise(() => {}))
  const { instance, run } = serve(
    `await host.fetch('http://a.spin.internal/', { redirect: 'manual' }).catch(() => undefined)
     await host.fetch('http://b.spin.internal/', { redirect: 'manual' })`,
    { outbound: { send: sent } },
  )
  instance.abandon('was ended')
  const error: unknown = await run.catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('was ended')
  expect(instance.wasAbandoned(error)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sent).toHaveBeenCalledOnce()
})

test('after its request it gets nothing more of the host', async () => {
  const errors: string[] = []
  vi.stubGlobal('failed', (error: Error) => errors.push(error.message))
  const { run } = serve(
    `setTimeout(() => { try { host.variable('a') } catch (error) { failed(error) } }, 5); return new Response('')`,
    { variable: () => 'value' },
  )
  await run
  await vi.waitFor(() => expect(errors).toEqual(['its request has ended']))
  vi.unstubAllGlobals()
})
