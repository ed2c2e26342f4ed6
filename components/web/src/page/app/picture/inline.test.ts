import { describe, expect, it, vi } from 'vitest'
import { bytesOf, inlinePicture, pictureOfDataUrl, sizeInWords } from './inline.ts'

const GIF = Buffer.from('GIF89a\x08\x00\x04\x00\x00\x00\x00', 'latin1').toString('base64')

describe('a picture inside of a result', () => {
  it('is shown as what it is', () => {
    const url = `data:image/gif;base64,${GIF}`
    expect(inlinePicture(GIF, 'image/png', 'a')).toEqual({ kind: 'image', url, name: 'a' })
    expect(pictureOfDataUrl(url, 'a')).toEqual({ kind: 'image', url, name: 'a' })
  })

  it('of 100 MB is not shown, and is not read to its end', () => {
    const large = GIF.padEnd(133_333_332, 'A')
    const decode = vi.spyOn(globalThis, 'atob')
    expect(inlinePicture(large, 'image/gif', 'a')).toMatchObject({
      kind: 'unshown',
      why: 'it is larger than 10 MB',
    })
    for (const [text] of decode.mock.calls) expect(text.length).toBeLessThan(10_000)
    decode.mockRestore()
    expect(sizeInWords(bytesOf(large))).toBe('100.0 MB')
  })

  it.each([
    ['image/svg+xml', GIF, 'can contain programs'],
    ['text/html', GIF, 'not one of a picture'],
    ['image/gif', 'not base64!', 'its bytes are not'],
    [
      'image/gif',
      Buffer.from('GIF89a\xff\xff\xff\xff\x00\x00\x00', 'latin1').toString('base64'),
      '65535 × 65535',
    ],
  ])('of the type %s with the bytes %s is not shown, with the reason', (type, data, why) => {
    const picture = inlinePicture(data, type, 'a')
    expect(picture.kind === 'unshown' && picture.why).toContain(why)
  })
})
