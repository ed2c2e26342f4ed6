import { type Call, record } from './call.ts'
import {
  ASK_ROOTS,
  askModel,
  askUser,
  inputRequired,
  modelText,
  rootUris,
  userValue,
} from './inputs.ts'
import type { Ending } from './line-tools.ts'
import { text } from './samples.ts'

const WHO = askUser('What is your name?', 'name')

/** State of a tool that asks once: enough to see that it came back. */
const ASKED = JSON.stringify({ asked: true })

function confirm(call: Call): Ending {
  return call.state === ASKED && userValue(call, 'confirm', 'ok') === true
    ? text('state-ok')
    : inputRequired({ confirm: askUser('Please confirm', 'ok', 'boolean') }, ASKED)
}

/** The name is kept in the state, because the client sends the answers of a round only once. */
function multiRound(call: Call): Ending {
  const state = parseState(call.state)
  const color = userValue(call, 'step2', 'color')
  if (state?.round === 2 && typeof color === 'string') return text(`${state.name} likes ${color}.`)
  const name = state?.round === 2 ? state.name : userValue(call, 'step1', 'name')
  if (state === undefined || typeof name !== 'string') {
    return inputRequired(
      { step1: askUser('Step 1: What is your name?', 'name') },
      JSON.stringify({ round: 1 }),
    )
  }
  return inputRequired(
    { step2: askUser('Step 2: What is your favorite color?', 'color') },
    JSON.stringify({ round: 2, name }),
  )
}

type State = { round: 1 } | { round: 2; name: string }

/** The gateway refuses a changed state; a state of another tool is ignored. */
function parseState(state: string | undefined): State | undefined {
  const { round, name } = record(JSON.parse(state ?? 'null'))
  if (round === 2 && typeof name === 'string') return { round, name }
  return round === 1 ? { round } : undefined
}

/** Tools that ask the client, by name. */
export const INPUT_TOOLS: Record<string, (call: Call) => Ending> = {
  test_missing_capability: () => inputRequired({ thought: askModel('Say something.') }),
  test_input_required_result_elicitation: (call) => {
    const name = userValue(call, 'user_name', 'name')
    return typeof name === 'string' ? text(`Hello, ${name}!`) : inputRequired({ user_name: WHO })
  },
  test_input_required_result_sampling: (call) => {
    const answer = modelText(call, 'capital_question')
    return answer === undefined
      ? inputRequired({ capital_question: askModel('What is the capital of France?') })
      : text(answer)
  },
  test_input_required_result_list_roots: (call) => {
    const uris = rootUris(call, 'client_roots')
    return uris === undefined
      ? inputRequired({ client_roots: ASK_ROOTS })
      : text(`The roots are: ${uris.join(', ')}`)
  },
  test_input_required_result_request_state: confirm,
  test_input_required_result_tampered_state: confirm,
  test_input_required_result_multiple_inputs: (call) => {
    const name = userValue(call, 'user_name', 'name')
    const greeting = modelText(call, 'greeting')
    const uris = rootUris(call, 'client_roots')
    if (call.state === ASKED && typeof name === 'string' && greeting !== undefined && uris) {
      return text(`${greeting} ${name}, your roots are: ${uris.join(', ')}`)
    }
    return inputRequired(
      { user_name: WHO, greeting: askModel('Generate a greeting', 50), client_roots: ASK_ROOTS },
      ASKED,
    )
  },
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: (call) => {
    const name = userValue(call, 'user_name', 'name')
    if (typeof name === 'string') return text(`Hello, ${name}!`)
    const greeting = modelText(call, 'greeting')
    if (greeting !== undefined) return text(greeting)
    const { elicitation, sampling } = call.capabilities
    if (!elicitation && !sampling) return text('There is nothing the client can be asked.')
    return inputRequired({
      ...(elicitation ? { user_name: WHO } : {}),
      ...(sampling ? { greeting: askModel('Generate a greeting', 50) } : {}),
    })
  },
}
