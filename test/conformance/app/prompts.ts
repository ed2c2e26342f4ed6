import type { InputRequired, PromptDescription, PromptResult } from 'ftl-contract'
import type { Call } from './call.ts'
import { askUser, inputRequired, userValue } from './inputs.ts'
import { IMAGE } from './samples.ts'

type Content = PromptResult['messages'][number]['content']

interface Prompt extends Omit<PromptDescription, 'name'> {
  get(call: Call): PromptResult | InputRequired
}

const user = (...contents: Content[]): PromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const says = (text: string): Content => ({ type: 'text', text })
const argument = ({ args }: Call, name: string) => {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}

/** By name. */
export const PROMPTS: Record<string, Prompt> = {
  test_simple_prompt: {
    description: 'A prompt without arguments',
    get: () => user(says('This is a simple prompt for testing.')),
  },
  test_prompt_with_arguments: {
    description: 'A prompt that repeats its arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: (call) =>
      user(
        says(
          `Prompt with arguments: arg1='${argument(call, 'arg1')}', arg2='${argument(call, 'arg2')}'`,
        ),
      ),
  },
  test_prompt_with_embedded_resource: {
    description: 'A prompt that brings a resource',
    arguments: [
      { name: 'resourceUri', description: 'URI of the resource to embed', required: true },
    ],
    get: (call) =>
      user(
        {
          type: 'resource',
          resource: {
            uri: argument(call, 'resourceUri'),
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        says('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: {
    description: 'A prompt that brings an image',
    get: () => user(IMAGE, says('Please analyze the image above.')),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks the user for its context',
    get: (call) => {
      const context = userValue(call, 'user_context', 'context')
      return typeof context === 'string'
        ? user(says(`Work in this context: ${context}`))
        : inputRequired({
            user_context: askUser('What context should the prompt use?', 'context'),
          })
    },
  },
}

const PLACES = ['paris', 'park', 'party']

/** Completes any argument of any prompt: the suite asks for the form of the answer only. */
export function complete(value: string): { completion: { values: string[]; hasMore: boolean } } {
  return {
    completion: { values: PLACES.filter((place) => place.startsWith(value)), hasMore: false },
  }
}
