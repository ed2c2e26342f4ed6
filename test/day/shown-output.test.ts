import { expect, it } from 'vitest'
import { isAsShown } from './shown-output.ts'

const SHOWN = `  ✓ 8 components prepared in 2.2 s

  MCP gateway       http://127.0.0.1:3000/mcp`

it('another time and another port are as shown', () => {
  const printed = `> start\n  ✓ 8 components prepared in 16.0 s\n\n  MCP gateway       http://127.0.0.1:29383/mcp\n  more`
  expect(isAsShown(printed, SHOWN)).toBe(true)
})

it.each([
  [
    'another number',
    '  ✓ 7 components prepared in 2.2 s\n  MCP gateway       http://127.0.0.1:3000/mcp',
  ],
  [
    'another order',
    '  MCP gateway       http://127.0.0.1:3000/mcp\n  ✓ 8 components prepared in 2.2 s',
  ],
  ['a line less', '  ✓ 8 components prepared in 2.2 s'],
])('%s is not', (_, printed) => {
  expect(isAsShown(printed, SHOWN)).toBe(false)
})

it('a picture that came too late for the result is not missed', () => {
  const shown =
    'Made an image with seed 12\n/tmp/ftl-call-aB/picture-1.webp (image/webp, 15678 bytes)'
  expect(
    isAsShown('Made an image with seed 7\n1 of 1 pictures could not be shown here', shown),
  ).toBe(true)
})
