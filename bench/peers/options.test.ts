import { expect, it } from 'vitest'
import { readPeersOptions } from './options.ts'

const NAMES = ['ours', 'other']
const read = (...args: string[]) => readPeersOptions(args, NAMES)

it('measures all peers without --only', () => {
  expect(read()).toMatchObject({ options: { quick: false, only: NAMES } })
})

it('takes one peer or several', () => {
  expect(read('--only', 'other', '--quick')).toMatchObject({
    options: { quick: true, only: ['other'] },
  })
})

it('takes the address of a Spin without its last slash', () => {
  expect(read('--spin-url', 'http://127.0.0.1:3000/')).toMatchObject({
    options: { spinUrl: 'http://127.0.0.1:3000' },
  })
})

it('prints the names of peers in its help', () => {
  expect(read('--help')).toMatchObject({
    failed: false,
    text: expect.stringMatching(/ours, other/) as unknown,
  })
})

it.each([
  [['--only', 'nobody'], '--only: there is no peer "nobody"'],
  [['--spin-url', 'localhost:3000'], '--spin-url: "localhost:3000" is not an http address'],
  [['--fast'], "Unknown option '--fast'"],
])('refuses %j and says why', (args, message) => {
  expect(read(...args)).toMatchObject({
    failed: true,
    text: expect.stringContaining(message) as unknown,
  })
})
