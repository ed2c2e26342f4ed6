import { describe, expect, it } from 'vitest'
import { inline } from './inline.ts'

const PAGE =
  '<head><link rel="stylesheet" href="./a-1.css" /></head><script type="module" src="./b-2.js"></script>'

describe('a page as one document', () => {
  it('has its scripts and styles inside', () => {
    const files = { 'a-1.css': { body: 'p{margin:0}' }, 'b-2.js': { body: 'run("$&")' } }
    expect(inline({ html: PAGE, files })).toBe(
      '<head><style>p{margin:0}</style></head><script type="module">run("$&")</script>',
    )
  })

  it('is not ended by what stands in a string of a script', () => {
    const body = 'a="</script><!--"'
    const html = inline({ html: PAGE, files: { 'a-1.css': { body: '' }, 'b-2.js': { body } } })
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(html).not.toContain('<!--')
  })

  it('is refused when something is missing or cannot be put in', () => {
    expect(() => inline({ html: PAGE, files: {} })).toThrow('b-2.js')
    expect(() => inline({ html: '<img src="./c.png">', files: {} })).toThrow('c.png')
  })
})
