import type { Content, PublicJob } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { chunkMessage } from './messages.ts'

const ID = 'd1eed89c-d2ff-427e-b5d2-cd004a668935'
const ORIGIN = 'http://your_server_url:8001'

function done(change: Partial<PublicJob>): PublicJob {
  return {
    id: ID,
    component: 'c',
    tool: 't',
    status: 'completed',
    seq: 3,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-02T00:00:00Z',
    pollIntervalMs: 1000,
    ...change,
  }
}

function link(name: string, mimeType?: string): Content {
  return { type: 'resource_link', uri: `/outputs/${name}`, name, mimeType }
}

const chunk = (change: Partial<PublicJob>) =>
  JSON.parse(chunkMessage(done(change), { origin: ORIGIN })) as unknown

describe('the chunk', () => {
  it('of one picture is the example of the guide', () => {
    expect(chunk({ result: { content: [link(`${ID}.png`, 'image/png')] } })).toEqual({
      jsonrpc: '2.0',
      method: 'stream/chunk',
      params: {
        stream_id: ID,
        result: { content: [{ type: 'image', source: `${ORIGIN}/outputs/${ID}.png` }] },
      },
    })
  })

  it('has pictures first, in their order, and everything else as it was', () => {
    const text: Content = { type: 'text', text: 'two of them' }
    const chart: Content = { type: 'custom/chart', points: [1, 2] }
    const elsewhere: Content = {
      type: 'resource_link',
      uri: 'https://example.com/x.png',
      name: 'x',
      mimeType: 'image/png',
    }
    const content = [
      text,
      link('a.png', 'image/png'),
      chart,
      link('b.webp', 'image/webp'),
      elsewhere,
      link('c.mp4', 'video/mp4'),
    ]
    expect(chunk({ result: { content } })).toMatchObject({
      params: {
        result: {
          content: [
            { type: 'image', source: `${ORIGIN}/outputs/a.png` },
            { type: 'image', source: `${ORIGIN}/outputs/b.webp` },
            text,
            chart,
            elsewhere,
            { type: 'resource_link', uri: `${ORIGIN}/outputs/c.mp4`, mimeType: 'video/mp4' },
          ],
        },
      },
    })
  })

  it('of a failure is an error with code and message, and nothing more', () => {
    const error = { code: -32000, message: 'Service error: no.', data: { server: 'http://inside' } }
    expect(chunk({ status: 'failed', error })).toEqual({
      jsonrpc: '2.0',
      method: 'stream/chunk',
      params: { stream_id: ID, error: { code: -32000, message: 'Service error: no.' } },
    })
  })

  it.each([
    ['failed', 'The job failed.'],
    ['cancelled', 'The job was cancelled.'],
    ['completed', 'The job ended without a result.'],
  ] as const)('says what it can when a job that is %s says nothing', (status, message) => {
    expect(chunk({ status })).toMatchObject({ params: { error: { code: -32000, message } } })
  })

  it('of a job that completed without a result does not pass its message off as the error', () => {
    expect(chunk({ message: 'Done' })).toMatchObject({
      params: { error: { message: 'The job ended without a result.' } },
    })
  })
})
