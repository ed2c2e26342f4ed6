import { expect, it } from 'vitest'
import { readApp, sandboxAddress } from './read-app.ts'

const URI = 'ui://a/b.html'
const TYPE = 'text/html;profile=mcp-app'
const read = (content: unknown) => readApp(URI, { contents: [content] })

it('an app is its document and what it declares', () => {
  const page = read({
    mimeType: 'text/html; profile="mcp-app"',
    text: '<p>hi',
    _meta: {
      ui: {
        csp: {
          connectDomains: ['wss://live.example', '*', 7],
          resourceDomains: ['https://cdn.example'],
        },
        permissions: { clipboardWrite: {}, camera: {} },
        prefersBorder: false,
      },
    },
  })
  expect(page).toMatchObject({ html: '<p>hi', mayWriteClipboard: true, hasBorder: false })
  expect(page.ignored).toEqual(['*', '7'])
  expect(sandboxAddress(page)).toBe(
    '/app/sandbox?connect=wss%3A%2F%2Flive.example&resource=https%3A%2F%2Fcdn.example',
  )
})

it('its bytes are UTF-8', () => {
  const blob = Buffer.from('<p>ä€').toString('base64')
  expect(read({ mimeType: TYPE, blob }).html).toBe('<p>ä€')
})

it.each([
  [{ mimeType: 'text/html', text: '<p>' }, 'must have the type'],
  [{ mimeType: 'text/html;profile=mcp-app;x', text: '<p>' }, 'must have the type'],
  [{ mimeType: TYPE }, 'is empty'],
  [{ mimeType: TYPE, blob: '~' }, 'base64'],
  [{ mimeType: TYPE, text: 'x'.repeat(5_000_001) }, 'up to 5 million'],
  [null, 'must have the type'],
])('what is not an app is refused with the reason', (content, words) => {
  expect(() => read(content)).toThrow(words)
  expect(() => readApp(URI, { contents: 'x' })).toThrow('must have the type')
})
