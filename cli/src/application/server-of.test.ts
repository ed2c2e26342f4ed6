import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { serverOf } from './server-of.ts'

const read = (application: string, table = '') =>
  serverOf(
    parseManifest(
      `spin_manifest_version = 2\n[application]\nname = "tools"\n${application}\n[application.tool.ftl]\n${table}`,
      '/app/spin.toml',
    ),
  )

describe('how a gateway introduces itself', () => {
  it('is what [application] says', () => {
    expect(read('version = "1.2.3"\ndescription = "Tools of ours"')).toEqual({
      name: 'tools',
      version: '1.2.3',
      description: 'Tools of ours',
    })
    expect(read('')).toEqual({ name: 'tools', version: '0.0.0' })
  })

  it('has what Spin does not allow there from [application.tool.ftl]', () => {
    const table = `title = "Our tools"
website_url = "https://tools.example"
instructions = """
Search first.
"""
icons = [{ src = "https://tools.example/icon.png", mime_type = "image/png", sizes = ["48x48"], theme = "dark" }]
signers = []`
    expect(read('', table)).toEqual({
      name: 'tools',
      version: '0.0.0',
      title: 'Our tools',
      websiteUrl: 'https://tools.example',
      instructions: 'Search first.',
      icons: [
        {
          src: 'https://tools.example/icon.png',
          mimeType: 'image/png',
          sizes: ['48x48'],
          theme: 'dark',
        },
      ],
    })
  })

  it.each([
    ['titel = "x"', 'titel is not a key of this table; did you mean "title"?'],
    ['title = 1', 'title must be a string of at most 200 characters'],
    ['title = " "', 'title must be a string'],
    ['website_url = "javascript:x"', 'website_url must be an address'],
    [`instructions = "${'x'.repeat(16_385)}"`, 'instructions must be a string of at most 16384'],
    ['icons = "x"', 'icons must be a list'],
    ['icons = [1]', 'icons must be tables with src'],
    ['icons = [{ src = "http://x.example/i.png" }]', 'icons src must be an address'],
    ['icons = [{ src = "data:text/html,x" }]', 'icons src must be an address'],
    ['icons = [{ src = "https://x.example/i", size = "1x1" }]', 'icons have the unknown key size'],
    ['icons = [{ src = "https://x.example/i", sizes = ["big"] }]', 'icons sizes must be a list'],
    ['icons = [{ src = "https://x.example/i", theme = "red" }]', 'icons theme must be'],
    [`icons = [{ src = "data:image/png,${'x'.repeat(32_768)}" }]`, 'icons must have at most'],
  ])('%.60s is refused, naming the key', (table, text) => {
    expect(() => read('', table)).toThrow(`[application.tool.ftl] ${text}`)
  })
})
