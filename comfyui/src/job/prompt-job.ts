/**
 * The job of a tool whose work is one prompt on a ComfyUI server: polls it, cancels it and serves its files.
 *
 * A prompt is lost when the server answers and does not know it:
 * - A server that confirmed the prompt is asked twice, because a prompt on its way from the queue to the history may be
 *   in neither. So is a server that did not confirm it, because the request may still be on its way.
 * - While the submission is under way, one answer is enough: the SDK repeats the poll until its grace period ends.
 */
import type {
  CancelOutcome,
  JobContext,
  JobDefinition,
  JobFailure,
  PollOutcome,
  ToolContext,
} from 'ftl-sdk'
import type { ToolResult } from 'ftl-contract'
import type { ComfyClient } from '../client/client.ts'
import { ComfyError, presentable } from '../client/errors.ts'
import { fileResponse } from '../client/file-response.ts'
import type { ComfyJob, OutputFile } from '../client/job.ts'
import { extensionOf } from '../client/media-types.ts'
import { hideKey, hideKeyInError } from './account-key.ts'
import { ERROR_PREFIX, toToolError } from './errors.ts'
import { inlineImages } from './inline-images.ts'
import type { PromptState } from './submit.ts'

/** First message of a job. */
export const SENDING_MESSAGE = 'Sending the workflow to ComfyUI'
const NEVER_ACCEPTED = { lost: 'The job was lost before ComfyUI accepted it.' }

export interface PromptJobOptions<State extends PromptState> {
  /** @param server base URL, as stored with the job. */
  connect(server: string, context: ToolContext): ComfyClient | Promise<ComfyClient>
  /** What the server does, for messages: `Rendering`. */
  activity: string
  /** Message of the failure when the prompt made nothing. */
  nothingMade: string
  /** The files that are the result, in its order. */
  selectFiles(found: ComfyJob, state: State): OutputFile[]
  /**
   * @param texts that text nodes showed.
   * @returns `undefined` if the prompt made nothing, which fails the job.
   */
  toResult(
    jobId: string,
    state: State,
    files: OutputFile[],
    texts: readonly string[],
  ): ToolResult | undefined
  /** The failure of a node in the words of the tool. */
  explain(error: ComfyError, state: State): ComfyError
  /** Called when a poll finds the prompt completed. @default nothing */
  onCompleted?(found: ComfyJob, state: State, context: JobContext): Promise<void>
}

type PromptJob<State> = Pick<
  JobDefinition<never, State, never>,
  'message' | 'upstream' | 'errorPrefix'
> &
  Required<Pick<JobDefinition<never, State, never>, 'poll' | 'cancel' | 'files'>>

/** The part of a job definition that follows the prompt; the tool adds `prepare` and `start`. */
export function promptJob<State extends PromptState>(
  options: PromptJobOptions<State>,
): PromptJob<State> {
  return {
    poll: (state, context) => unlessSilent(() => poll(options, state, context)),
    cancel: (state, context) =>
      unlessSilent(async (): Promise<CancelOutcome> => {
        if (!state) return 'cancelled'
        const client = await options.connect(state.server, context)
        return (await client.cancel(state.promptId)) ? 'cancelled' : 'ended'
      }),
    async files({ index, extension, name }, state, context, request) {
      const file = state?.files?.[index]
      if (!file || extensionOf(file.filename) !== extension) return undefined
      return fileResponse(await options.connect(state.server, context), file, name, request)
    },
    message: SENDING_MESSAGE,
    upstream: 'the ComfyUI server',
    errorPrefix: ERROR_PREFIX,
  }
}

async function poll<State extends PromptState>(
  options: PromptJobOptions<State>,
  state: State | undefined,
  context: JobContext,
): Promise<PollOutcome<State>> {
  // The state is stored before the prompt is sent.
  if (!state) return NEVER_ACCEPTED
  const client = await options.connect(state.server, context)
  const accepted = context.job.phase === 'accepted'
  const found = withoutKey(await client.job(state.promptId, { accepted }), context)
  if (found.status === 'unknown') return NEVER_ACCEPTED
  if (found.error?.kind === 'server_lost') {
    return state.uncertain ? NEVER_ACCEPTED : { lost: found.error.message }
  }
  if (found.status === 'completed') {
    const gone = await findGone(options.selectFiles(found, state), found, client)
    if (gone !== undefined) return { error: goneFailure(gone) }
    await options.onCompleted?.(found, state, context)
  }
  const seen = state.uncertain ? { ...state, uncertain: undefined } : state
  const outcome = outcomeOf(options, found, seen, context)
  const shown = state.inline ? await withPictures(outcome, client) : outcome
  return state.uncertain ? { state: seen, ...shown } : shown
}

type Outcome<State> = Exclude<PollOutcome<State>, string>

async function withPictures<State extends PromptState>(
  outcome: Outcome<State>,
  client: ComfyClient,
): Promise<Outcome<State>> {
  if (!('result' in outcome) || !outcome.result) return outcome
  const { result, state } = outcome
  const pictures = await inlineImages(client, state?.files ?? [])
  return { ...outcome, result: { ...result, content: [...result.content, ...pictures] } }
}

function outcomeOf<State extends PromptState>(
  options: PromptJobOptions<State>,
  found: ComfyJob,
  state: State,
  { platform, job }: JobContext,
): Outcome<State> {
  switch (found.status) {
    case 'unknown':
      return NEVER_ACCEPTED
    case 'pending':
      return { message: 'Waiting in the queue of ComfyUI' }
    case 'running': {
      const seconds = Math.max(0, Math.round((platform.now() - job.createdAt) / 1000))
      // ComfyUI's HTTP interface reports no steps, and seconds are not the unit of those that the bridge reports.
      return { message: `${options.activity} (${seconds} s)` }
    }
    case 'cancelled':
      return { cancelled: 'Cancelled on the ComfyUI server' }
    case 'failed':
      return { error: failureOf(found.error && options.explain(found.error, state)) }
    case 'completed': {
      const files = options.selectFiles(found, state)
      const result = options.toResult(job.id, state, files, found.texts)
      if (!result) {
        return { error: { message: options.nothingMade, kind: 'execution_failed' } }
      }
      const kept = files.map(({ filename, subfolder, type }) => ({ filename, subfolder, type }))
      return { result, state: { ...state, files: kept } }
    }
  }
}

/**
 * Finds a file of the result that ComfyUI reports without having it: a node that did not run again reports the file of
 * an earlier prompt. Files of nodes that ran are not checked.
 */
async function findGone(
  files: readonly OutputFile[],
  { cachedNodes = [] }: ComfyJob,
  client: ComfyClient,
): Promise<string | undefined> {
  for (const node of cachedNodes) {
    // The first file of each node: there may be hundreds, and folders are usually emptied as a whole.
    const file = files.find(({ nodeId }) => nodeId === node)
    if (!file) continue
    const { status, body } = await client.view(file, { range: 'bytes=0-0' })
    await body?.cancel()
    if (status === 404) return file.filename
  }
  return undefined
}

function goneFailure(filename: string): JobFailure {
  const message =
    `ComfyUI did not run again, because nothing in the workflow changed, and the file of the earlier run, ` +
    `"${presentable(filename)}", was deleted. Change an argument, such as the seed, or restart ComfyUI.`
  return { message, kind: 'output_gone' }
}

/** A node may repeat the account key in what it prints or in its error. */
function withoutKey(found: ComfyJob, { platform: { variables } }: ToolContext): ComfyJob {
  const { error, texts } = found
  return {
    ...found,
    texts: texts.map((text) => hideKey(text, variables)),
    ...(error && { error: hideKeyInError(error, variables) }),
  }
}

function failureOf(error: ComfyError | undefined): JobFailure {
  if (!error) return { message: 'The workflow failed.' }
  const { message, data } = toToolError(error)
  return { message, ...(data && { data }) }
}

async function unlessSilent<T>(work: () => Promise<T>): Promise<T | 'unreachable'> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ComfyError) return 'unreachable'
    throw error
  }
}
