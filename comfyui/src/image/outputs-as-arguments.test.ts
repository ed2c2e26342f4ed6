import { expect, it } from 'vitest'
import { openAnyOutput } from './outputs-as-arguments.ts'
import { testCall } from './testing/call.ts'

const NAME = '11111111-2222-4333-8444-555555555555.png'
const missing = async () => new Response(null, { status: 404 })

function call(components: string, principal?: string, file = missing) {
  const principals: (string | null)[] = []
  const made = testCall(
    {
      variables: { image_components: components },
      fetch: async (input, init) => {
        const { url } = new Request(input)
        principals.push(new Headers(init?.headers).get('ftl-principal'))
        if (url.includes('//painter.')) return new Response('picture')
        if (url.includes('//absent.')) throw new TypeError('no such component')
        return new Response(null, { status: 404 })
      },
    },
    principal,
  )
  const context = Object.defineProperty(made, 'file', { value: file })
  return { context, principals }
}

it('asks the named components in their order, for the caller', async () => {
  const { context, principals } = call('absent, workflows, painter, later', 'ann')
  const response = await openAnyOutput(context)(NAME)
  expect(await response.text()).toBe('picture')
  expect(context.requests).toEqual(
    ['absent', 'workflows', 'painter'].map(
      (name) => `http://${name}.spin.internal/outputs/${NAME}`,
    ),
  )
  expect(principals).toEqual(['ann', 'ann', 'ann'])
})

it('sends no name for a caller without one, who then owns nothing', async () => {
  const { context, principals } = call('painter')
  await openAnyOutput(context)(NAME)
  expect(principals).toEqual([null])
})

it('prefers its own files, and asks neither itself nor what is not a component', async () => {
  const own = call('painter', undefined, async () => new Response('own'))
  const response = await openAnyOutput(own.context)(NAME)
  expect(await response.text()).toBe('own')
  expect(own.context.requests).toEqual([])
  const other = call('images, evil.example/x, ../y')
  expect((await openAnyOutput(other.context)(NAME)).status).toBe(404)
  expect(other.context.requests).toEqual([])
})
