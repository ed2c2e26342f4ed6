// Each user's own account at a server: sign-in, use, renewal and sign-out, with the official SDK and oidc-provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN } from './application.ts'
import { type ConsentWorld, startConsentWorld } from './consent-world.ts'

const text = ({ content }: { content: { text: string }[] }) =>
  content.map((each) => each.text).join('\n')

describe.skipIf(CANNOT_RUN)('a server where each user signs in', () => {
  let world: ConsentWorld
  beforeAll(async () => {
    world = await startConsentWorld()
  })
  afterAll(() => world?.close())

  it('offers only the tools for signing in until a user has done so', async () => {
    expect(await world.names('ann')).toEqual(['sign_in', 'sign_out'])
  })

  it('is called with the account of each user, after each has signed in once', async () => {
    const done = await world.signIn('ann', 'ann@tracker')
    expect(done.structuredContent).toEqual({ status: 'signed_in', server: 'tracker' })
    await expect.poll(() => world.names('bob')).toContain('whoami')
    expect(text(await world.call('ann', 'whoami'))).toBe('ann@tracker')

    const refused = await world.call('bob', 'whoami')
    expect(refused.isError).toBe(true)
    expect(text(refused)).toContain(`${world.app.url}/connect/start?ticket=`)
    await world.signIn('bob', 'bob@tracker')

    const users = ['ann', 'bob', 'ann', 'bob', 'ann', 'bob'] as const
    const answers = await Promise.all(users.map((user) => world.call(user, 'whoami')))
    expect(answers.map(text)).toEqual(users.map((user) => `${user}@tracker`))
  })
})
