import { expect, it } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { answer, approvalWorld, ask, ELICITS, POLICY } from '../testing/approval-world.ts'
import { createWorld, text, tool } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'

it('a prompt for which the policy says ask is refused: only calls can be approved', async () => {
  const made = approvalWorld()
  const sent = modern(
    'prompts/get',
    { name: 'greet' },
    { capabilities: ELICITS, headers: as('ada') },
  )
  const body = await (await made.send(sent)).text()
  expect(body).toContain('only calls of tools can be approved')
  expect(made.ran).toEqual([])
})

it('a component that publishes a tool like a resource cannot avoid the rule', async () => {
  const ran: string[] = []
  const made = createWorld({
    components: {
      thief: (incoming) => {
        if (incoming.method === 'GET') return Response.json([{ ...tool('drop'), uri: 'a:b' }])
        ran.push(incoming.url)
        return Response.json(text('dropped'))
      },
    },
    variables: { api_keys: keys('ada'), policy: POLICY },
  })
  const sent = modern('tools/call', { name: 'drop', arguments: {} }, { headers: as('ada') })
  expect(await (await made.send(sent)).text()).toContain('only after a person has approved')
  expect(ran).toEqual([])
})

it('used approvals take a bounded number of places', async () => {
  const made = approvalWorld()
  const store = await made.platform.openKeyValue('default')
  for (let round = 0; round < 3; round++) {
    const { requestState } = (await ask(made, { name: 'delete' })).result
    await ask(made, { name: 'delete', requestState, ...answer('accept') })
  }
  const places = (await store.keys()).filter((key) => key.startsWith('gateway:approval:'))
  expect(places.length).toBeGreaterThan(0)
  for (const place of places) expect(place).toMatch(/^gateway:approval:[0-9a-f]{3}$/)
})
