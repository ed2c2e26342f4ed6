import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { abandonStep, buildReporter, prepareReporter, step } from './ui.ts'

let printed: string
const { isTTY } = process.stdout

beforeEach(() => {
  printed = ''
  process.stdout.isTTY = true
  vi.useFakeTimers()
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  process.stdout.isTTY = isTTY
})

it('shows components that are prepared side by side as one step, and stops when the last is ready', () => {
  const report = prepareReporter()
  for (const component of ['a', 'b', 'c']) report({ component, state: 'preparing' })
  vi.advanceTimersByTime(2000)
  expect(printed).toContain('preparing components')
  for (const component of ['b', 'a', 'c']) report({ component, state: 'prepared' })
  expect(printed).toContain('3 components')
  printed = ''
  vi.advanceTimersByTime(5000)
  expect(printed).toBe('')
  expect(vi.getTimerCount()).toBe(0)
})

it('says nothing of components that were ready before', () => {
  const report = prepareReporter()
  report({ component: 'a', state: 'cached' })
  expect(printed).toBe('')
})

it('takes away the line of a step that failed', () => {
  step('building a')
  abandonStep()
  printed = ''
  vi.advanceTimersByTime(5000)
  expect(printed).toBe('')
})

it('shows a warning again only if its component is built again', () => {
  const report = buildReporter({ quietWhenCached: true })
  const warn = () => report({ id: 'a', state: 'warning', warning: 'main.ts:1: odd' })
  const times = () => printed.split('main.ts:1: odd').length - 1
  warn()
  report({ id: 'a', state: 'building' })
  expect(times()).toBe(1)
  // Another component changes, twice.
  for (const other of ['b', 'b']) {
    warn()
    report({ id: other, state: 'building' })
  }
  expect(times()).toBe(1)
  warn()
  report({ id: 'a', state: 'building' })
  expect(times()).toBe(2)
})
