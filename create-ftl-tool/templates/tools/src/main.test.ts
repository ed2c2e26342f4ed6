import { testComponent } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import * as main from './main.ts'

const component = testComponent(main)

it('converts both ways', async () => {
  const boiling = await component.call('template_name_to_fahrenheit', { celsius: 100 })
  expect(boiling.content).toEqual([{ type: 'text', text: '212' }])
  const freezing = await component.call('template_name_to_celsius', { fahrenheit: 32 })
  expect(freezing.content).toEqual([{ type: 'text', text: '0' }])
})

it('refuses what is colder than anything', async () => {
  const { isError } = await component.call('template_name_to_fahrenheit', { celsius: -300 })
  expect(isError).toBe(true)
})

it('puts the temperature into the prompt', async () => {
  const { messages } = await component.prompt('template_name_explain', { celsius: '21' })
  expect(messages).toMatchObject([
    { content: { text: expect.stringContaining('21 °C') as string } },
  ])
})

it('has a resource to read', async () => {
  const { contents } = await component.resource('template-name://scales')
  expect(JSON.parse(contents[0]?.text ?? '')).toMatchObject({ celsius: { boiling: 100 } })
})
