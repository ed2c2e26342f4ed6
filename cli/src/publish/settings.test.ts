import { describe, expect, it } from 'vitest'
import { publishSettings } from './settings.ts'

const component = (table: Record<string, unknown> = {}) => ({
  id: 'weather',
  description: undefined,
  tool: { 'ftl-publish': table },
})
const settings = (table: Record<string, unknown>, overrides = {}) =>
  publishSettings(component(table), { version: '0.1.0' }, overrides)

describe('what a package is called', () => {
  it('is the id and the version of the application, unless the table says otherwise, or an option', () => {
    expect(settings({})).toMatchObject({ name: 'weather', version: '0.1.0', description: '' })
    const table = { name: '@acme/weather', version: '1.0.0' }
    expect(settings(table)).toMatchObject(table)
    const overrides = { name: 'other', version: '2.0.0-rc.1' }
    expect(settings(table, overrides)).toMatchObject(overrides)
  })

  it.each([
    [{ nam: 'x' }, 'nam is not a key of this table'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: 'Weather' }, 'cannot be the name of an npm package'],
    [{ name: '../weather' }, 'cannot be the name of an npm package'],
    [{ version: '1.0' }, 'cannot be the version'],
    [{ repository: 'git@git.example:acme/weather' }, 'repository must be an https address'],
    [{ repository: 'https://ada:pw@git.example/x' }, 'repository must be an https address'],
    [{ mcp_name: 'weather' }, 'cannot be a name of the MCP registry'],
  ])('is refused with its key: %j', (table, reason) => {
    expect(() => settings(table)).toThrow(reason)
  })
})
