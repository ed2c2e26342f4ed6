import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ask, type Given } from './ask.ts'

/** Types the answers one after the other, each when it is asked for. */
function answering(answers: string[], given: Partial<Given> = {}, application = false) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (!chunk.toString().endsWith('): ')) return
    const answer = answers.shift()
    if (answer === undefined) input.end()
    else input.write(`${answer}\n`)
  })
  const nothing = { name: undefined, template: undefined, parts: undefined, clients: undefined }
  const chosen = ask({ ...nothing, ...given }, { application }, { input, output })
  return { chosen, shown: () => shown }
}

describe('asking', () => {
  it('takes a name and the number of a template', async () => {
    const { chosen, shown } = answering(['greet', '3'])
    expect(await chosen).toMatchObject({ name: 'greet', template: { id: 'job' } })
    expect(shown()).toContain('3  job')
  })

  it('takes what it proposes for an empty answer', async () => {
    const { chosen } = answering(['', ''])
    expect(await chosen).toMatchObject({ name: 'my-tool', template: { id: 'tool' } })
  })

  it('says what is wrong with an answer and asks again', async () => {
    const { chosen, shown } = answering(['My Tool', 'my-tool', '9', 'stream'])
    expect(await chosen).toMatchObject({ name: 'my-tool', template: { id: 'stream' } })
    expect(shown()).toContain('use "my-tool"')
    expect(shown()).toContain('give a number from 1 to')
  })

  it('asks for nothing that was given', async () => {
    const { chosen, shown } = answering([], { name: 'greet', template: 'rust' })
    expect(await chosen).toMatchObject({ name: 'greet', template: { id: 'rust' } })
    expect(shown()).toBe('')
  })

  it('asks for the parts of a new application, until there are such parts', async () => {
    const { chosen, shown } = answering(['greet', '', 'web, page', 'web, chat,web', ''], {}, true)
    const { parts } = await chosen
    expect(parts.map(({ id }) => id)).toEqual(['web', 'chat'])
    expect(shown()).toContain('there is no part "page"')
  })

  it('takes no part for an empty answer', async () => {
    expect((await answering(['greet', '', '', ''], {}, true).chosen).parts).toEqual([])
  })

  it('asks which client to connect a new application to, until there are such clients', async () => {
    const answers = ['greet', '', '', 'emacs', 'cursor, vscode']
    const { chosen, shown } = answering(answers, {}, true)
    expect((await chosen).clients.map(({ id }) => id)).toEqual(['cursor', 'vscode'])
    expect(shown()).toContain('there is no client "emacs"')
  })

  it('connects no client for an empty answer or "none"', async () => {
    expect((await answering(['greet', '', '', ''], {}, true).chosen).clients).toEqual([])
    expect((await answering(['greet', '', '', 'none'], {}, true).chosen).clients).toEqual([])
  })

  it('stops when the input ends', async () => {
    await expect(answering(['greet']).chosen).rejects.toThrow('nothing was written')
  })
})
