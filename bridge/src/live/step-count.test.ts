import { describe, expect, it } from 'vitest'
import type { ComfyStep } from './event.ts'
import { StepCount } from './step-count.ts'

const counted = (steps: ComfyStep[]): string[] => {
  const count = new StepCount()
  return steps.map((step) => {
    const { value, max, message } = count.add(step)
    return `${value}/${max ?? '-'} ${message}`
  })
}

describe('the steps of a job', () => {
  it('do not go back when the next node does not count its own', () => {
    const steps = [
      { value: 0, node: '4' },
      { value: 0, node: '3' },
      { value: 24, max: 25, node: '3' },
      { value: 0, node: '8' },
      { value: 0, node: '9' },
    ]
    expect(counted(steps)).toEqual([
      '0/- Running node 4',
      '0/- Running node 3',
      '24/25 Step 24 of 25',
      '25/25 Running node 8',
      '25/25 Running node 9',
    ])
  })

  it('of a second sampler, and of a second pass of the same node, are added', () => {
    const steps = [
      { value: 25, max: 25, node: '3' },
      { value: 1, max: 10, node: '57:12' },
      { value: 10, max: 10, node: '57:12' },
      { value: 1, max: 4, node: '57:12' },
    ]
    expect(counted(steps)).toEqual([
      '25/25 Step 25 of 25',
      '26/35 Step 26 of 35',
      '35/35 Step 35 of 35',
      '36/39 Step 36 of 39',
    ])
  })

  it('of a server that names no node belong to the node that was named last', () => {
    const steps = [
      { value: 0, node: '3' },
      { value: 1, max: 4 },
      { value: 2, max: 4 },
    ]
    expect(counted(steps).at(-1)).toBe('2/4 Step 2 of 4')
  })

  it('stay numbers, and show no id that is a text of its own', () => {
    const steps = Array.from({ length: 9 }, (_, at) => ({
      value: 1e308,
      max: 1e308,
      node: `${at}`,
    }))
    expect(counted(steps).at(-1)).toMatch(/^9007199254740991\/9007199254740991 /)
    expect(counted([{ value: 0, node: '\x1b[2Jpay here' }])).toEqual(['0/- Running a node'])
  })
})
