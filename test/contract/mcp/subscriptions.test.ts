// Subscriptions: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, SUBSCRIPTION_KEY } from './client.ts'

const application = useApplication()

describe('subscriptions/listen', () => {
  const EVERYTHING = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['test://static-text'],
  }

  it.each([[1], ['listen-1']])(
    '[subscriptions.acknowledged] [subscriptions.id] is acknowledged first, by its id %j',
    async (id) => {
      const { status, headers, messages } = await ask(
        application.url,
        'subscriptions/listen',
        { notifications: EVERYTHING },
        { id },
      )
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/)
      expect(messages[0]).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [SUBSCRIPTION_KEY]: id } },
      })
      for (const message of messages) {
        const content = (message.params ?? message.result) as { _meta?: Record<string, unknown> }
        expect(content._meta?.[SUBSCRIPTION_KEY]).toBe(id)
      }
    },
  )

  it('[subscriptions.filter] is told that nothing will come', async () => {
    const params = { notifications: EVERYTHING }
    const { messages } = await ask(application.url, 'subscriptions/listen', params)
    const { notifications } = messages[0]?.params as { notifications: Record<string, unknown> }
    for (const type of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']) {
      expect(notifications[type] ?? false).toBe(false)
    }
    expect(notifications['resourceSubscriptions'] ?? []).toEqual([])
  })

  it('[subscriptions.ends] ends, because nothing can come', async () => {
    const { messages } = await ask(
      application.url,
      'subscriptions/listen',
      { notifications: {} },
      { id: 9 },
    )
    expect(messages.at(-1)).toMatchObject({ id: 9, result: { resultType: 'complete' } })
  })
})
