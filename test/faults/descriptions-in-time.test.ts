// What components answer when they are asked what they offer takes no list longer than the deadline, and no call at all.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FaultyApplication, startFaulty } from './application.ts'
import { ask, ERAS } from './eras.ts'
import { AT_ONCE, DISCOVERY_TIMEOUT_MS } from './fault.ts'

/** Two dozen components are asked; measured 1030 ms, and 2200 ms the first time. */
const AT_DISCOVERY = DISCOVERY_TIMEOUT_MS + 2500

let application: FaultyApplication
beforeAll(async () => {
  application = await startFaulty()
  await ask(application.url, 'plain', 'tools/list')
})
afterAll(() => application.close())

it.each(ERAS)('the list is there in time (%s)', async (era) => {
  const { status, milliseconds } = await ask(application.url, era, 'tools/list')
  expect(status).toBe(200)
  expect(milliseconds).toBeLessThan(AT_DISCOVERY)
})

it.each(ERAS)('a call finds its component while others are asked (%s)', async (era) => {
  const listing = ask(application.url, 'plain', 'tools/list')
  for (const name of ['echo', 'imposter__echo', 'twin', 'good_after']) {
    const params = { name, arguments: { message: 'here' } }
    const { milliseconds } = await ask(application.url, era, 'tools/call', params)
    expect(milliseconds, name).toBeLessThan(AT_ONCE)
  }
  await listing
})

it.each(ERAS)('a call of what a component says too late is refused in time (%s)', async (era) => {
  const params = { name: 'too_late', arguments: {} }
  const { milliseconds } = await ask(application.url, era, 'tools/call', params)
  expect(milliseconds).toBeLessThan(AT_DISCOVERY)
})
