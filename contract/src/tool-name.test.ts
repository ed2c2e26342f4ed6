import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolName } from './tool-name.ts'

describe('the name of a tool', () => {
  it.each([
    // Official templates of ComfyUI.
    ['sd3.5_simple_example', 'sd3_5_simple_example'],
    ['3d_hunyuan3d-v2.1', 'tool_3d_hunyuan3d-v2_1'],
    ['templates_rob_portrait_light_migration.app', 'templates_rob_portrait_light_migration_app'],
    // barryw/ImmichMCP#4, hostinger/api-mcp-server#49, 21st-dev/magic-mcp#37 and the example of the Go SDK.
    ['immich.albums.assets.add', 'immich_albums_assets_add'],
    ['hosting_restartNode.jsApplicationV1', 'hosting_restartNode_jsApplicationV1'],
    ['21st_magic_component_builder', 'tool_21st_magic_component_builder'],
    ['elicit (form)', 'elicit__form_'],
    ['API-post-search', 'API-post-search'],
    ['__proto__', '__proto__'],
  ])('of %s', (given, name) => {
    expect(toolName(given)).toBe(name)
  })

  it('differs where letters of another script do', () => {
    const names = ['文生图', '图生图', 'flux 文生图', 'flux 图生图'].map(toolName)
    expect(new Set(names).size).toBe(4)
    expect(names[0]).toMatch(/^tool_[0-9a-f]{8}$/)
    expect(names[2]).toMatch(/^flux_[0-9a-f]{8}$/)
  })

  it('is one that all providers of models take, and does not change again', () => {
    // The rules of OpenAI, Anthropic, Claude Desktop and Gemini together.
    const taken = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
      fc.stringMatching(/^[\w./ -]{1,140}$/),
    )
    fc.assert(
      fc.property(text, (given) => {
        const name = toolName(given)
        expect(name).toMatch(taken)
        expect(toolName(name)).toBe(name)
        if (taken.test(given)) expect(name).toBe(given)
      }),
    )
  })

  it('of more than 64 characters says which it is at its end', () => {
    const long = 'n'.repeat(64)
    expect([`${long}1`, `${long}2`].map(toolName)).toEqual([
      expect.stringMatching(/^n{55}_[0-9a-f]{8}$/),
      expect.stringMatching(/^n{55}_[0-9a-f]{8}$/),
    ])
    expect(toolName(`${long}1`)).not.toBe(toolName(`${long}2`))
  })
})
