import { expect, test } from 'vitest'
import { bytesOfBody, LargeBodies } from './large-bodies.ts'

const MIB = 1024 * 1024

test.each([
  ['GET', '/mcp', [], 0],
  ['POST', '/mcp', [['content-length', '1000']], 0],
  ['POST', '/mcp', [['content-length', String(MIB)]], MIB],
  ['POST', '/mcp', [['content-length', String(100 * MIB)]], 4 * MIB],
  ['POST', '/mcp', [], 4 * MIB],
  ['POST', '/uploads?name=a.mp4', [['content-length', String(100 * MIB)]], 0],
  ['POST', '/uploads-of', [], 4 * MIB],
] as const)('a request by %s of %s with %j counts %i bytes', (method, path, headers, bytes) =>
  expect(bytesOfBody(method, path, headers)).toBe(bytes),
)

test('the seventh body of four MiB waits until one of the others has left; small ones do not', async () => {
  const bodies = new LargeBodies()
  for (let nth = 0; nth < 6; nth++) expect(bodies.enter(4 * MIB)).toBeUndefined()
  const order: string[] = []
  const seventh = bodies.enter(4 * MIB)?.then(() => order.push('seventh'))
  const eighth = bodies.enter(MIB)?.then(() => order.push('eighth'))
  expect(bodies.enter(0)).toBeUndefined()
  await Promise.resolve()
  expect(order).toEqual([])
  bodies.leave(4 * MIB)
  await seventh
  expect(order).toEqual(['seventh'])
  bodies.leave(4 * MIB)
  await eighth
  expect(order).toEqual(['seventh', 'eighth'])
})
