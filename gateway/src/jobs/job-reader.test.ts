import { describe, expect, it } from 'vitest'
import { record } from '../testing/job-component.ts'
import { followerPause } from './job-reader.ts'

const every = (pollIntervalMs: number) => record({ pollIntervalMs })

describe('the pause of a follower', () => {
  it('is the poll interval of the job where nothing is delayed', () => {
    expect(followerPause(every(700), 0)).toBe(700)
    expect(followerPause(every(700), 2)).toBe(700)
  })

  it('is bounded, whatever the component asks for', () => {
    expect(followerPause(every(0), 0)).toBe(50)
    expect(followerPause(every(86_400_000), 0)).toBe(10_000)
  })

  it('grows with the delay, so that followers use a small part of a busy machine', () => {
    expect(followerPause(every(200), 50)).toBe(1000)
    expect(followerPause(every(200), 60_000)).toBe(5000)
    expect(followerPause(every(8000), 60_000)).toBe(8000)
  })
})
