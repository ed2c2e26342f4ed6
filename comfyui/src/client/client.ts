/** The client: submitting, looking, cancelling, files, and what a server has. */
import { asObject } from 'ftl-contract'
import { cancel, readVersion } from './cancel.ts'
import { compare, type Compatibility } from './compatibility.ts'
import {
  exchange,
  type Fetch,
  type HttpOptions,
  openFile,
  post,
  readOk,
  unexpected,
} from './http.ts'
import type { ComfyJob, OutputFile } from './job.ts'
import { asList, asNumber, type Json } from './narrow.ts'
import { lookUp, type LookOptions, position, type ServerTraits } from './look-up.ts'
import { classesOf, toNodeClass } from './nodes.ts'
import { type ServerOptions, toAddress } from './server.ts'
import { submit, type Submission, submitOnce, type Submitted } from './submit.ts'
import { type SystemStats, toSystemStats } from './system-stats.ts'
import { uploadImage, uploadMask, uploadMedia } from './upload.ts'
import { type UploadFormat, uploadStream } from './upload-stream.ts'

export interface ComfyClientOptions extends ServerOptions {
  fetch: Fetch
  /**
   * Milliseconds for one answer. A server may be busy loading a model, and a component must not hang.
   *
   * @default 10_000
   */
  timeoutMs?: number
}

/** Every method may reject with a `ComfyError` of kind `unreachable`, `timeout`, `unauthorized` or `rejected`. */
export interface ComfyClient {
  /**
   * Queues a workflow. If the reply was lost, the client first asks the server for the job, and then sends it again. A server
   * would run the same id twice.
   */
  submit(submission: Submission): Promise<Submitted>
  /** {@link submit} for a prompt that may have been sent before: nothing is sent when the server knows it. */
  submitOnce(submission: Submission): Promise<Submitted>
  /** What became of a prompt. A server that does not answer is an error, and not the same as `unknown`. */
  job(promptId: string, options?: LookOptions): Promise<ComfyJob>
  /**
   * How many prompts run or wait before this one; 0 while it runs, `undefined` when it is not in the queue.
   * Costs as much as the queue is long.
   */
  position(promptId: string): Promise<number | undefined>
  /** Stops this job and no other. @returns whether it was waiting or running. */
  cancel(promptId: string): Promise<boolean>
  /**
   * A file, as the server streams it; any status may come. A redirect to a store is followed, without our key.
   *
   * @param headers for example `Range` and `If-None-Match`.
   * @param preview format and quality in which the server encodes a picture again: `webp;75`. The size stays the same.
   */
  view(
    file: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>,
    headers?: Record<string, string>,
    preview?: string,
  ): Promise<Response>
  /**
   * Uploads a picture under a name made from its content, so that the server stores the same picture once.
   *
   * @returns the value for the `image` input of a LoadImage node.
   */
  uploadImage(bytes: Uint8Array<ArrayBuffer>): Promise<string>
  /**
   * Uploads a video, a sound or a 3D model under a name made from its content.
   *
   * @returns the value for an input that loads it.
   */
  uploadMedia(bytes: Uint8Array<ArrayBuffer>): Promise<string>
  /**
   * Uploads a file of any of these kinds while it arrives, under a random name.
   *
   * @returns the value for an input that loads it.
   * @throws also the error of `pieces`; then the server stores nothing.
   */
  uploadStream(
    format: UploadFormat,
    pieces: AsyncIterator<Uint8Array<ArrayBuffer>>,
  ): Promise<string>
  /**
   * Uploads a mask for an uploaded picture, whose copy gets the mask's transparency.
   *
   * @param image as `uploadImage` returned it.
   * @returns the value for the `image` input of a LoadImage node: the picture with the mask.
   */
  uploadMask(bytes: Uint8Array<ArrayBuffer>, image: string): Promise<string>
  /** Prompts that run or wait: how busy the server is. */
  queueRemaining(): Promise<number>
  /**
   * Descriptions of the named classes; a class the server does not have is left out. Without a name those of all
   * classes, which are megabytes. `toNodeClass` reads one.
   */
  objectInfo(classes?: string | readonly string[]): Promise<Json>
  /** Whether the server has the node classes and the model files of a workflow; a request a class. */
  compatibility(workflow: Json): Promise<Compatibility>
  /** Names of the model folders. */
  modelFolders(): Promise<string[]>
  /** Files of a model folder such as `loras`; `undefined` when there is no such folder. */
  models(folder: string): Promise<string[] | undefined>
  /** Version, memory and devices. */
  systemStats(): Promise<SystemStats>
  /** Makes the server let go of models and cached results, for example after it ran out of memory. */
  freeMemory(): Promise<void>
  /** As `major.minor.patch`. */
  version(): Promise<string>
}

/** Classes asked for at a time: a component may have only so many requests open. */
const CLASSES_AT_ONCE = 6

export function createComfyClient(options: ComfyClientOptions): ComfyClient {
  const { fetch, timeoutMs = 10_000 } = options
  const http: HttpOptions = { ...toAddress(options), fetch, timeoutMs }
  const traits: ServerTraits = {}
  const get = async (path: string) => readOk(await exchange(http, path))
  const job: ComfyClient['job'] = (promptId, look) => lookUp(http, traits, promptId, look)

  async function objectInfo(classes?: string | readonly string[]): Promise<Json> {
    if (classes === undefined) return asObject(await get('/object_info'))
    const names = typeof classes === 'string' ? [classes] : classes
    const found: Json = {}
    for (let at = 0; at < names.length; at += CLASSES_AT_ONCE) {
      const some = names.slice(at, at + CLASSES_AT_ONCE)
      const infos = some.map((name) => get(`/object_info/${encodeURIComponent(name)}`))
      for (const info of await Promise.all(infos)) Object.assign(found, asObject(info))
    }
    return found
  }

  return {
    job,
    objectInfo,
    submit: (submission) => submit(http, submission, job),
    submitOnce: (submission) => submitOnce(http, submission, job),
    position: (promptId) => position(http, traits, promptId),
    cancel: (promptId) => cancel(http, promptId),
    uploadImage: (bytes) => uploadImage(http, bytes),
    uploadMedia: (bytes) => uploadMedia(http, bytes),
    uploadStream: (format, pieces) =>
      uploadStream(http, format, { hex: randomHex(), boundary: `ftl-${randomHex()}` }, pieces),
    uploadMask: (bytes, image) => uploadMask(http, bytes, image),
    version: () => readVersion(http),

    view({ filename, subfolder, type }, headers = {}, preview = '') {
      const file = { filename, subfolder, type, ...(preview !== '' && { preview }) }
      return openFile(http, `/view?${new URLSearchParams(file)}`, headers)
    },

    async queueRemaining() {
      const info = asObject(asObject(await get('/prompt')).exec_info)
      return asNumber(info.queue_remaining) ?? 0
    },

    async compatibility(workflow) {
      const infos = Object.entries(await objectInfo(classesOf(workflow)))
      return compare(workflow, Object.fromEntries(infos.map(([k, info]) => [k, toNodeClass(info)])))
    },

    async modelFolders() {
      return asList(await get('/models')).filter((name) => typeof name === 'string')
    },

    systemStats: async () => toSystemStats(await get('/system_stats')),

    async models(folder) {
      const reply = await exchange(http, `/models/${encodeURIComponent(folder)}`)
      if (reply.status === 404) return undefined
      return asList(readOk(reply)).filter((name) => typeof name === 'string')
    },

    async freeMemory() {
      const reply = await post(http, '/free', { unload_models: true, free_memory: true })
      if (reply.status !== 200) throw unexpected(reply)
    },
  }
}

/** 32 digits. */
function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
