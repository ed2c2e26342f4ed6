/** A refused prompt as an error: the answers of both generations of ComfyUI. */
import { asObject, isObject } from 'ftl-contract'
import { ComfyError, type ComfyErrorDetails, type ComfyErrorKind, presentable } from './errors.ts'
import { asList, asText, type Json } from './narrow.ts'
import { describeMissingModel, describeMissingNode } from './missing.ts'
import { choicesOf } from './nodes.ts'

const MODEL_FILE = /\.(?:safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$/i
const NODE_ID = /^Node ID '#(.*)'$/

/** @param body the JSON of a 400 answer to `POST /prompt`. */
export function toRefusal(body: unknown, status: number): ComfyError {
  const { error, node_errors } = asObject(body)
  const { type, message, details, extra_info } = asObject(error)
  const info = asObject(extra_info)
  const nodeId = asText(info.node_id) ?? NODE_ID.exec(asText(details) ?? '')?.[1]
  if (type === 'missing_node_type' || (type === 'invalid_prompt' && nodeId !== undefined)) {
    const nodeType =
      asText(info.class_type) ?? /node (.+) does not exist/.exec(asText(message) ?? '')?.[1]
    return new ComfyError(
      'missing_node',
      nodeType === undefined
        ? `Node ${nodeId} of the workflow names no class.`
        : describeMissingNode(nodeType),
      { status, nodeId, nodeType },
    )
  }
  for (const [id, node] of Object.entries(asObject(node_errors))) {
    const [problem] = asList(asObject(node).errors).filter(isObject)
    if (problem) return describeProblem(id, asText(asObject(node).class_type), problem, status)
  }
  // A cycle in an older server is refused without a word on where it is.
  return new ComfyError('rejected', presentable(asText(message) ?? 'The prompt was refused.'), {
    status,
  })
}

/**
 * The problems of the branches that were left out of a prompt that was accepted nevertheless.
 *
 * @param nodeErrors `node_errors` of a 200 answer.
 */
export function toWarnings(nodeErrors: unknown): ComfyError[] {
  return Object.entries(asObject(nodeErrors)).flatMap(([id, node]) =>
    asList(asObject(node).errors)
      .filter(isObject)
      .map((problem) => describeProblem(id, asText(asObject(node).class_type), problem, 200)),
  )
}

function describeProblem(
  nodeId: string,
  nodeType: string | undefined,
  problem: Json,
  status: number,
): ComfyError {
  const info = asObject(problem.extra_info)
  const inputName = asText(info.input_name) ?? asText(problem.details)?.split(':')[0]
  const received = info.received_value
  const place = `node ${nodeId}${nodeType ? ` (${nodeType})` : ''}`
  const said = saidIn(problem)
  const fail = (kind: ComfyErrorKind, text: string, message?: string, available?: unknown[]) => {
    const details: ComfyErrorDetails = {
      ...(available && { available }),
      nodeId,
      nodeType,
      inputName,
      problem: text,
      said,
      received,
      status,
    }
    return new ComfyError(kind, message ?? `"${inputName}" of ${place}: ${text}.`, details)
  }
  const message = presentable(asText(problem.message) ?? '').replace(/\.$/, '')
  switch (problem.type) {
    case 'value_not_in_list':
      if (isModelFile(received)) {
        // A server with more than 20 files does not send its list.
        const available = choicesOf(info.input_config)
        const text = describeMissingModel(received, available)
        const whole = describeMissingModel(received, available, ` ("${inputName}" of ${place})`)
        const problem = `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`
        return fail('missing_model', problem, whole, available)
      }
      return fail('invalid_value', `${quote(received)} is not one of the choices`)
    case 'required_input_missing':
      return fail('invalid_value', 'is missing', `"${inputName}" of ${place} is missing.`)
    case 'custom_validation_failed':
      return fail('invalid_value', withAdvice(presentable(saidByNode(problem) ?? message)))
    case 'value_smaller_than_min':
    case 'value_bigger_than_max':
    case 'invalid_input_type':
      return fail('invalid_value', message)
    case 'exception_during_validation':
    case 'exception_during_inner_validation':
      return describeException(nodeId, nodeType, problem, status)
    default:
      return fail('rejected', message, `N${place.slice(1)}: ${message}.`)
  }
}

/** "image - Invalid image file: a - b.png": the node says itself what is wrong, after the name of the input. */
function saidByNode({ details }: Json): string | undefined {
  return /^.*? - (.*)$/s.exec(asText(details) ?? '')?.[1]
}

/** What ComfyUI's own loaders say of a file that is not there. */
function withAdvice(problem: string): string {
  return /^Invalid (?:image|video|audio|3D model) file: /.test(problem)
    ? `${problem} (the server does not have it: upload it first)`
    : problem
}

/** What Python raises when a link names an output or a node that is not there. */
const BAD_LINK = new Set(['IndexError', 'KeyError'])

/** ComfyUI failed while it checked a node, which is then the node with the bad link. */
function describeException(
  nodeId: string,
  nodeType: string | undefined,
  problem: Json,
  status: number,
): ComfyError {
  const { exception_type: type } = asObject(problem.extra_info)
  const isLink = BAD_LINK.has(asText(type) ?? '')
  const said = saidIn(problem)
  const text = `${isLink ? 'a link leads to a node or an output that does not exist: ' : ''}${said}`
  // The `input_name` of ComfyUI belongs to the node that led to this one.
  const place = { nodeId, nodeType, inputName: '', problem: text, said, status }
  const name = `Node ${nodeId}${nodeType ? ` (${nodeType})` : ''}`
  return new ComfyError('rejected', `${name}: ${text}.`, place)
}

function saidIn({ message, details }: Json): string {
  const texts = [message, details].map((text) => presentable(asText(text) ?? ''))
  return texts.filter(Boolean).join(': ')
}

/** Whether a choice names a model file, and not a sampler or a mode. */
export function isModelFile(value: unknown): value is string {
  return typeof value === 'string' && MODEL_FILE.test(value)
}

function quote(value: unknown): string {
  return presentable(JSON.stringify(value) ?? 'nothing')
}
