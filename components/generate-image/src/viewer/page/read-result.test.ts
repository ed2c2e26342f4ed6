import { describe, expect, it } from 'vitest'
import { readResult } from './read-result.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const at = (file: string) => `https://gateway.example/outputs/${file}`

describe('what a result says', () => {
  it('names each picture with its own seed', () => {
    const images = [at(`${ID}.png`), at(`${ID}-2.png`)]
    const structuredContent = { images, seed: 4, seeds: [4, 9], width: 1344, height: 768 }
    expect(readResult({ content: [], structuredContent })).toEqual({
      kind: 'pictures',
      text: '',
      size: '1344 × 768',
      pictures: [
        { file: `${ID}.png`, address: images[0], seed: 4 },
        { file: `${ID}-2.png`, address: images[1], seed: 9 },
      ],
    })
  })

  it('is read from the links where a host leaves out what is structured', () => {
    const content = [
      { type: 'resource_link', uri: at(`${ID}.webp`), name: 'x' },
      { type: 'text', text: 'Made an image.' },
    ]
    expect(readResult({ content })).toMatchObject({
      kind: 'pictures',
      text: 'Made an image.',
      pictures: [{ file: `${ID}.webp` }],
    })
  })

  it('is a job that is looked at neither too often nor too seldom', () => {
    const job = (poll: unknown) =>
      readResult({
        content: [{ type: 'text', text: `Rendering (3 s) This is job ${ID}: call get_job` }],
        structuredContent: { job_id: ID, poll_interval_ms: poll, progress: { value: 3 } },
      })
    const seen = { kind: 'job', id: ID, text: 'Rendering (3 s)', progress: { value: 3 } }
    expect(job(2000)).toEqual({ ...seen, pollMs: 2000 })
    expect(job(0)).toMatchObject({ pollMs: 500 })
    expect(job('often')).toMatchObject({ pollMs: 500 })
    expect(job(3_600_000)).toMatchObject({ pollMs: 10_000 })
  })

  it.each([
    { content: [{ type: 'text', text: 'No' }], isError: true },
    { content: [{ type: 'text', text: 'No' }], structuredContent: { images: [1, at('../x.png')] } },
  ])('is a failure in the words of the tool', (result) => {
    expect(readResult(result)).toEqual({ kind: 'failed', text: 'No' })
  })

  it.each([{}, { content: 'x' }, { content: [null, 1], structuredContent: 'x' }])(
    'is a failure with words where it is no result',
    (result) =>
      expect(readResult(result)).toEqual({ kind: 'failed', text: 'There is no picture.' }),
  )
})
