import { describe, expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'
import { createTools } from '../tool/create-tools.ts'
import { testComponent, textOf, ToolFailed } from './index.ts'

const one = createTool({ metadata: { name: 'one' }, handler: () => '1' })
const two = createTool({ metadata: { name: 'two' }, handler: () => '2' })

describe('testComponent', () => {
  it.each([
    ['a tool', { tool: one }],
    ['tools', { tools: [one, two] }],
    ['a set', { tools: createTools([one, two], { logging: true }) }],
    ['a default', { default: one }],
  ])('serves a module that exports %s, in its own form', async (_, entry) => {
    const component = testComponent(entry)
    expect(textOf(await component.call('one'))).toBe('1')
    const plain = 'tool' in entry || 'default' in entry
    const offer: unknown = await (await component.fetch('/')).json()
    expect(Array.isArray(offer)).toBe('tools' in entry && Array.isArray(entry.tools))
    expect((await component.offer()).tools?.map(({ name }) => name)).toEqual(
      plain ? ['one'] : ['one', 'two'],
    )
  })

  it('asks prompts and resources of whatever answers the contract', async () => {
    const component = testComponent({
      default: {
        fetch: async (request) => {
          const { pathname, searchParams } = new URL(request.url)
          if (pathname === '/prompts/review') {
            const content = { type: 'text' as const, text: await request.text() }
            return Response.json({ messages: [{ role: 'user', content }] })
          }
          const uri = searchParams.get('uri')
          return uri === 'note://today'
            ? Response.json({ contents: [{ uri, text: 'noted' }] })
            : Response.json({ error: {} }, { status: 404 })
        },
      },
    })
    expect(await component.prompt('review', { code: 'x' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: '{"code":"x"}' } }],
    })
    expect((await component.resource('note://today')).contents[0]?.text).toBe('noted')
    await expect(component.resource('note://never')).rejects.toThrow(ToolFailed)
  })

  it('refuses a tool that is not there', async () => {
    await expect(testComponent({ tools: [one, two] }).call('three')).rejects.toThrow(/404.*three/)
  })

  it('keeps what is printed, and gives the console back', async () => {
    const print = console.log
    const loud = createTool({
      metadata: { name: 'loud' },
      handler: () => {
        console.log('heard', { at: 1 })
        return ''
      },
    })
    const component = testComponent({ tool: loud })
    await Promise.all([component.call('loud'), component.call('loud')])
    expect(component.console).toContainEqual({ level: 'log', text: 'heard {"at":1}' })
    expect(console.log).toBe(print)
  })

  it('waits for work after the answer, and tells of its failure', async () => {
    const later = createTool({
      metadata: { name: 'later' },
      handler: (_, { platform }) => {
        platform.waitUntil(Promise.reject(new Error('not written')))
        return ''
      },
    })
    const component = testComponent({ tool: later })
    await component.call('later')
    await expect(component.settled()).rejects.toThrow('not written')
  })

  it('cannot serve a module without exports, as it cannot be built', () => {
    expect(() => testComponent({})).toThrow('its entry must export')
  })
})
