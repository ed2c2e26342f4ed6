/** The application of test/code with a policy that asks for approvals, and tools whose work is counted. */
import { createHash } from 'node:crypto'
import { type CodeHost, startCode } from '../code-host.ts'
import { type Effects, startEffects } from '../effects.ts'

const POLICY = { rules: [{ effect: 'ask', tools: ['delete'] }, { effect: 'allow' }] }

const KEY = `ftl_${createHash('sha256').update('ada').digest('base64url')}`
const KEYS = [
  { sha256: createHash('sha256').update(KEY).digest('hex'), principal: 'ada', scopes: [] },
]

/** Headers of every client. */
export const AS_ADA = { authorization: `Bearer ${KEY}` }

export interface ClientsWorld extends CodeHost {
  effects: Effects
}

export async function startClientsWorld(): Promise<ClientsWorld> {
  const effects = await startEffects()
  const host = await startCode('', {
    api_keys: JSON.stringify(KEYS),
    policy: JSON.stringify(POLICY),
    effects_url: effects.url,
  })
  return {
    ...host,
    effects,
    async close() {
      await host.close()
      await effects.close()
    },
  }
}

/** Three calls, one after another, with time between them in which a task is read. */
export const THREE_CALLS = `const said = []
for (const path of ['a', 'b', 'c']) {
  said.push(await tools.effects.append({ path }))
  await sleep(700)
}
return said.join(', ')`

export const ONE_APPROVAL = `const first = await tools.effects.append({ path: 'a' })
const second = await tools.effects.delete({ path: 'b' }).catch(({ code }) => code)
return [first, second].join(', ')`
