/** Checks a prompt before it is queued, with the server's own error texts. */
import { randomInt } from 'node:crypto'
import { fnv1a } from 'ftl-contract'
import type { Choices, InputSpec } from './nodes/definition.ts'
import {
  checkClasses,
  definitionOf,
  isLink,
  type Prompt,
  type PromptError,
  promptError,
} from './prompt.ts'
import { configOf, convertValue, type NodeProblem } from './validate-value.ts'
import type { VersionTraits } from './version.ts'

export interface NodeErrors {
  errors: NodeProblem[]
  dependent_outputs: string[]
  class_type: string
}

export type Verdict =
  | { error: PromptError; nodeErrors: Record<string, NodeErrors> }
  | { error?: undefined; outputs: string[]; nodeErrors: Record<string, NodeErrors> }

export function validatePrompt(prompt: Prompt, traits: VersionTraits, choices: Choices): Verdict {
  const broken = checkClasses(prompt, traits)
  if (broken) return { error: broken, nodeErrors: {} }
  const outputs = Object.keys(prompt).filter((id) => definitionOf(prompt, id)?.outputNode)
  if (outputs.length === 0) {
    return { error: promptError('prompt_no_outputs', 'Prompt has no outputs'), nodeErrors: {} }
  }
  const check: Check = { prompt, traits, choices, validated: new Map(), path: [] }
  const nodeErrors: Record<string, NodeErrors> = {}
  const good: string[] = []
  const details = new Set<string>()
  for (const output of outputs) {
    let cycle = false
    try {
      if (validateNode(check, output)) {
        good.push(output)
        continue
      }
    } catch (error) {
      if (error instanceof PythonError) check.validated.set(output, [failedOutput(error)])
      // Older servers overflow their stack here and then know nothing of the cause.
      else if (error instanceof LegacyCycle) cycle = true
      else throw error
    }
    check.path.length = 0
    for (const { message, details: where } of check.validated.get(output) ?? []) {
      details.add(`${message}: ${where}`)
    }
    if (!cycle) reportErrors(check, output, nodeErrors)
  }
  if (good.length > 0) return { outputs: good, nodeErrors }
  return {
    error: promptError(
      'prompt_outputs_failed_validation',
      'Prompt outputs failed validation',
      [...details].join('\n'),
    ),
    nodeErrors,
  }
}

function failedOutput({ message, exception }: PythonError): NodeProblem {
  return {
    type: 'exception_during_validation',
    message: 'Exception when validating node',
    details: message,
    extra_info: {
      exception_type: exception,
      traceback: ['  File "/comfyui/execution.py", line 955, in validate_inputs\n'],
    },
  }
}

interface Check {
  prompt: Prompt
  traits: VersionTraits
  choices: Choices
  validated: Map<string, NodeProblem[]>
  path: string[]
}

class LegacyCycle extends Error {}
/** What the server's own code raises on a prompt that it does not expect. */
class PythonError extends Error {
  readonly exception: string
  constructor(exception: string, message: string) {
    super(message)
    this.exception = exception
  }
}

const keyError = (key: string) => new PythonError('KeyError', `'${key}'`)

function validateNode(check: Check, id: string): boolean {
  const { prompt, traits, choices, validated, path } = check
  const known = validated.get(id)
  if (known) return known.length === 0
  const node = prompt[id]
  const definition = definitionOf(prompt, id)
  if (!node || !definition) throw keyError(id)
  if (!('inputs' in node)) throw keyError('inputs')
  if (path.includes(id)) {
    if (!traits.namesCycles) throw new LegacyCycle()
    const cycle = path.slice(path.indexOf(id))
    const names = [...cycle, id].map((step) => `${step} (${prompt[step]?.class_type})`)
    validated.set(id, [
      {
        type: 'dependency_cycle',
        message: 'Dependency cycle detected',
        details: names.join(' -> '),
        extra_info: { node_id: id, cycle_nodes: cycle },
      },
    ])
    return false
  }
  path.push(id)
  const problems: NodeProblem[] = []
  let valid = true
  const { required, optional = {} } = definition.inputs(choices)
  for (const [name, spec] of inSetOrder(Object.entries({ ...required, ...optional }))) {
    const value = (node.inputs ?? {})[name]
    if (value === undefined) {
      // A choice that brings inputs is one only once it is given.
      if (name in required && spec[0] !== 'COMFY_DYNAMICCOMBO_V3') problems.push(missingInput(name))
    } else if (Array.isArray(value)) {
      valid = validateLink(check, name, spec, value, problems) && valid
    } else if (definition.checks?.[name]) {
      const wrong = definition.checks[name](value, choices)
      if (wrong !== undefined) problems.push(failedCheck(name, wrong))
    } else {
      const result = convertValue(name, spec, value, choices.modern)
      if ('problem' in result) problems.push(result.problem)
      else node.inputs[name] = result.value
    }
  }
  path.pop()
  const cycle = validated.get(id) ?? []
  validated.set(id, [...cycle, ...problems])
  return valid && problems.length === 0 && cycle.length === 0
}

/** The server iterates a set of names, whose order in Python differs from start to start. */
const START = randomInt(2 ** 32)

function inSetOrder(inputs: [string, InputSpec][]): [string, InputSpec][] {
  const rankOf = (name: string) => fnv1a(`${START} ${name}`)
  return inputs.sort(([a], [b]) => rankOf(a) - rankOf(b))
}

function failedCheck(name: string, wrong: string): NodeProblem {
  return {
    type: 'custom_validation_failed',
    message: 'Custom validation failed for node',
    details: `${name} - ${wrong}`,
    extra_info: { input_name: name },
  }
}

function missingInput(name: string): NodeProblem {
  return {
    type: 'required_input_missing',
    message: 'Required input is missing',
    details: name,
    extra_info: { input_name: name },
  }
}

function validateLink(
  check: Check,
  name: string,
  spec: InputSpec,
  link: unknown[],
  problems: NodeProblem[],
): boolean {
  const info = { input_name: name, input_config: configOf(spec) }
  if (!isLink(link)) {
    problems.push({
      type: 'bad_linked_input',
      message: 'Bad linked input, must be a length-2 list of [node_id, slot_index]',
      details: name,
      extra_info: { ...info, received_value: link },
    })
    return false
  }
  const [source, slot] = link
  const definition = definitionOf(check.prompt, source)
  if (!definition) throw keyError(source)
  if (slot >= definition.outputs.length)
    throw new PythonError('IndexError', 'tuple index out of range')
  const received = definition.outputs[slot]?.[0]
  const wanted = typeof spec[0] === 'string' ? spec[0] : 'COMBO'
  // One input may take several types.
  if (wanted !== '*' && !wanted.split(',').includes(received ?? '')) {
    problems.push({
      type: 'return_type_mismatch',
      message: 'Return type mismatch between linked nodes',
      details: `${name}, received_type(${received}) mismatch input_type(${wanted})`,
      extra_info: { ...info, received_type: received, linked_node: link },
    })
    return false
  }
  try {
    return validateNode(check, source)
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    // The server blames the node it was looking into, with the input it came through.
    check.path.splice(check.path.indexOf(source))
    check.validated.set(source, [
      {
        type: 'exception_during_inner_validation',
        message: 'Exception when validating inner node',
        details: error.message,
        extra_info: {
          ...info,
          exception_message: error.message,
          exception_type: error.exception,
          traceback: ['  File "/comfyui/execution.py", line 955, in validate_inputs\n'],
          linked_node: link,
        },
      },
    ])
    return false
  }
}

function reportErrors(check: Check, output: string, into: Record<string, NodeErrors>): void {
  const seen = new Set<string>()
  const visit = (id: string): void => {
    const node = check.prompt[id]
    if (seen.has(id) || !node) return
    seen.add(id)
    Object.values(node.inputs ?? {}).forEach((value) => isLink(value) && visit(value[0]))
    const errors = check.validated.get(id) ?? []
    if (errors.length === 0) return
    const entry = (into[id] ??= {
      errors,
      dependent_outputs: [],
      class_type: node.class_type ?? '',
    })
    entry.dependent_outputs.push(output)
  }
  visit(output)
}
