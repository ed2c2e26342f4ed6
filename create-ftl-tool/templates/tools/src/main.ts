import { createPrompt, createResource, createTool, createTools } from 'ftl-sdk'
import * as z from 'zod'

const toFahrenheit = createTool({
  metadata: {
    name: 'template_name_to_fahrenheit',
    description: 'Converts a temperature from Celsius to Fahrenheit',
    inputSchema: z.object({ celsius: z.number().min(-273.15) }),
  },
  handler: ({ celsius }) => `${(celsius * 9) / 5 + 32}`,
})

const toCelsius = createTool({
  metadata: {
    name: 'template_name_to_celsius',
    description: 'Converts a temperature from Fahrenheit to Celsius',
    inputSchema: z.object({ fahrenheit: z.number().min(-459.67) }),
  },
  handler: ({ fahrenheit }) => `${((fahrenheit - 32) * 5) / 9}`,
})

/** What a person picks from a menu of the client. */
const explain = createPrompt({
  metadata: {
    name: 'template_name_explain',
    description: 'Explains what a temperature feels like',
    arguments: { celsius: { description: 'Degrees Celsius', required: true } },
  },
  handler: ({ celsius }) => `What does ${celsius} °C feel like, and what should I wear?`,
})

/** What a client can read. */
const scales = createResource({
  metadata: {
    uri: 'template-name://scales',
    name: 'Temperature scales',
    mimeType: 'application/json',
  },
  handler: () => ({
    celsius: { freezing: 0, boiling: 100 },
    fahrenheit: { freezing: 32, boiling: 212 },
  }),
})

export const tools = createTools([toFahrenheit, toCelsius], {
  prompts: [explain],
  resources: [scales],
})
