import { describe, expect, it } from 'vitest'
import { Outbox } from './outbox.ts'
import type { ServerSocket } from './workerd.ts'

const LIMIT = 1000

/** A client that reads nothing; `bufferedAmount` is there where a runtime has it. */
function stuck(bufferedAmount?: number) {
  const sent: string[] = []
  const socket = {
    send(message: string) {
      sent.push(message)
      if (this.bufferedAmount !== undefined) this.bufferedAmount += message.length
    },
    bufferedAmount,
  }
  return { sent, socket, outbox: new Outbox(socket as unknown as ServerSocket, LIMIT) }
}

const length = (messages: string[]) => messages.join('').length
const message = 'x'.repeat(90)

describe('a client that does not read', () => {
  it('is closed where the runtime tells what it has not taken', () => {
    const { outbox, sent } = stuck(0)
    const answers = Array.from({ length: 12 }, () => outbox.offer(message))
    expect(answers.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 'sent'))
    expect(answers[11]).toBe('too-slow')
    expect(length(sent)).toBeLessThanOrEqual(LIMIT)
  })

  it('is sent no more where nobody can tell, because it may read all the same', () => {
    const { outbox, sent } = stuck()
    for (let n = 0; n < 100; n++) outbox.offer(message)
    expect(outbox.offer(message)).toBe('left-out')
    expect(length(sent)).toBeLessThanOrEqual(LIMIT)
  })

  it.each([undefined, 0])('is sent the end all the same (%s)', (bufferedAmount) => {
    const { outbox, sent } = stuck(bufferedAmount)
    for (let n = 0; n < 100; n++) outbox.offer(message)
    outbox.send('the end')
    expect(sent.at(-1)).toBe('the end')
  })

  it.each([undefined, 0])('misses previews first (%s)', (bufferedAmount) => {
    const { outbox, sent } = stuck(bufferedAmount)
    for (let seq = 1; seq <= 100; seq++) outbox.offerPreview(seq, message)
    expect(sent).toHaveLength(5)
    expect(outbox.offer(message)).toBe('sent')
  })

  it('is closed once it has shown that it says what it reads', () => {
    const { outbox } = stuck()
    outbox.offerPreview(1, message)
    expect(outbox.acknowledge(1)).toBe(true)
    const answers = Array.from({ length: 12 }, () => outbox.offer(message))
    expect(answers.at(-1)).toBe('too-slow')
  })
})

describe('a client that acknowledges', () => {
  it('gets previews without end', () => {
    const { outbox, sent } = stuck()
    for (let seq = 1; seq <= 100; seq++) {
      outbox.offerPreview(seq, message)
      outbox.acknowledge(seq)
    }
    expect(sent).toHaveLength(100)
  })

  it('gains nothing by numbers it was not sent, or by saying them twice', () => {
    const { outbox, sent } = stuck()
    for (let seq = 1; seq <= 5; seq++) outbox.offerPreview(seq, message)
    expect(outbox.acknowledge(9)).toBe(false)
    outbox.offerPreview(6, message)
    expect(sent).toHaveLength(5)
    expect(outbox.acknowledge(2)).toBe(true)
    expect([1, 2].map((seq) => outbox.acknowledge(seq))).toEqual([false, false])
    for (let seq = 7; seq <= 20; seq++) outbox.offerPreview(seq, message)
    expect(sent).toHaveLength(7)
  })
})
