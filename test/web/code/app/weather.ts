// Tools for programs: one with every kind of declaration, a slow one, one that needs an approval, and hostile ones.
import { createTool, createTools, ToolError, ToolResponse } from 'ftl-sdk'

const RUN = "document.documentElement.dataset.owned='yes'"

const forecast = createTool({
  metadata: {
    name: 'forecast',
    description: 'The weather of a city in the next days',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      required: ['city'],
      properties: {
        city: { type: 'string', description: 'Name of the city, for example "Rome"' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 7 },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['city', 'days'],
      properties: {
        city: { type: 'string' },
        days: {
          type: 'array',
          items: {
            type: 'object',
            properties: { rain: { type: 'number' }, warm: { type: 'boolean' } },
          },
        },
      },
    },
  },
  handler: async ({ city, days = 3 }) => {
    if (city === 'Atlantis') throw new ToolError('there is no such city')
    const list = Array.from({ length: Number(days) }, (_, day) => ({
      rain: day / 10,
      warm: day > 1,
    }))
    return ToolResponse.structured({ city, days: list })
  },
})

const slow = createTool({
  metadata: {
    name: 'slow',
    description: 'Takes the milliseconds that it is given',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { ms: { type: 'integer' } }, required: ['ms'] },
  },
  handler: async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(ms)))
    return ToolResponse.text(`waited ${String(ms)}`)
  },
})

const remove = createTool({
  metadata: {
    name: 'remove_city',
    description: 'Removes a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  handler: async ({ city }) => ToolResponse.text(`removed ${String(city)}`),
})

const markup = `<img src=x onerror="${RUN}"><script>${RUN}</script>`
const hostile = createTool({
  metadata: {
    name: '__proto__',
    description: markup,
    inputSchema: {
      type: 'object',
      properties: { [markup]: { type: 'string', description: markup } },
    },
  },
  handler: async () => ToolResponse.structured({ [markup]: markup }),
})

export const tools = createTools([forecast, slow, remove, hostile])
