// A server whose headers have no credentials: which lists clients get.
import { expect, it } from 'vitest'
import { SERVER, startWorld } from './testing/world.ts'

type World = ReturnType<typeof startWorld>

const configured = (headers: Record<string, string>) => ({
  remote_servers: JSON.stringify({ tracker: { url: SERVER, auth: 'consent', headers } }),
})
const namesIn = async ({ internal }: World) => {
  const { tools } = (await (await internal(undefined, '/')).json()) as { tools: { name: string }[] }
  return tools.map(({ name }) => name)
}

it('a header that chooses tools is sent with the token of the user, whose lists are those of all', async () => {
  const world = startWorld({ variables: configured({ 'x-toolsets': 'issues' }) })
  expect(await namesIn(world)).toEqual(['sign_in', 'sign_out'])
  await world.signIn('ann')
  expect(await namesIn(world)).toEqual(['sign_in', 'sign_out', 'whoami'])
})

it.each(['X-API-Key', 'Private-Token', 'Cookie', 'x-client-secret'])(
  'with %s, which this server does not take for its lists, these are not those of a user either',
  async (name) => {
    const world = startWorld({ variables: configured({ [name]: 'of-the-operator' }) })
    await world.signIn('ann')
    await world.call('ann', 'whoami')
    expect(await namesIn(world)).toEqual(['sign_in', 'sign_out'])
  },
)

it.each(['authorization', 'Authorization'])(
  'with %s, the lists are those of this account before anyone has signed in',
  async (name) => {
    const world = startWorld({ variables: configured({ [name]: 'Bearer of-the-operator' }) })
    expect(await namesIn(world)).toEqual(['sign_in', 'sign_out', 'whoami'])
  },
)
