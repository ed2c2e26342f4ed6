/** A worker thread: runs guests, and nothing else. */
import type { MessagePort } from 'node:worker_threads'
import { cpuMs, currentGuest } from '../instance/current-guest.ts'
import { shareByKey } from '../instance/lanes.ts'
import { WARD } from '../wire/guest-cells.ts'
import { loadRedisClient } from '../kv/redis-connection.ts'
import { openStores } from '../kv/stores.ts'
import { isNative } from '../native/native-program.ts'
import { Variables } from '../variables/variables.ts'
import { Claims } from '../wire/request-claims.ts'
import type { BodyMessage, FromWorker, Post, ToWorker } from '../wire/messages.ts'
import { pack, unpack } from '../wire/packed.ts'
import { AuditLines } from './audit-lines.ts'
import { CallsElsewhere } from './calls-elsewhere.ts'
import { Components } from './components.ts'
import { harden } from './harden.ts'
import { type FollowingMessage, Inbox, type RequestMessage } from './inbox.ts'
import { LogChannel } from './log-channel.ts'
import { ServedRequest } from './served-request.ts'
import type { WorkerSettings } from './settings.ts'

/** Milliseconds between two signs of life, while there is work. */
const HEARTBEAT_MS = 20

/** @throws {Error} what keeps it from serving. */
export async function begin(settings: WorkerSettings, port: MessagePort): Promise<void> {
  if (Object.values(settings.stores).some(({ type }) => type === 'redis')) await loadRedisClient()
  start(settings, port)
  // No request has been served yet; a thread that cannot be hardened serves none.
  harden({ prototypes: settings.programs.some(({ program }) => isNative(program)) })
}

function start(settings: WorkerSettings, port: MessagePort): void {
  const post: Post<FromWorker> = (message, transfer) =>
    port.postMessage(pack(message), transfer ?? [])
  const { manifest, cells } = settings
  currentGuest.attach(cells, ({ component, request }, ms) =>
    post({ type: 'turn', component, request, ms }),
  )
  if (settings.ward !== WARD.ordinary) shareByKey(cpuMs)
  let self = settings.self ?? { host: '127.0.0.1', port: 0 }
  const stores = openStores(settings.stores, settings.storeLimits, settings.entryRules)
  const logs = new LogChannel(settings.logBacklog, post, settings.outputRate)
  const calls = new CallsElsewhere(post)
  const components = new Components({
    settings,
    variables: new Variables(manifest, { overrides: settings.variables, folders: [] }),
    stores,
    logs,
    callElsewhere: (component, request) => calls.send(component, request),
    ...(settings.auditMemory && { audit: new AuditLines(settings.auditMemory, post) }),
    onExhausted: (component, request) => post({ type: 'exhausted', component, request }),
    self: () => self,
    onProblem: (component, message, request) => logs.problem(component, message, request),
  })
  const requests = new Map<number, ServedRequest>()
  let heart: NodeJS.Timeout | undefined
  const beat = () => {
    currentGuest.beat()
    if (requests.size + inbox.size > 0) return
    clearInterval(heart)
    heart = undefined
  }
  const claims = new Claims(settings.claims)
  /** A request was taken back because this thread was silent; it is not any more. */
  const noticed = () => currentGuest.beat()
  const serve = (message: RequestMessage) => {
    if (message.offered && !claims.take(message.id)) return noticed()
    heart ??= setInterval(beat, HEARTBEAT_MS)
    const { id } = message
    let over = false
    const onOver = () => {
      over = true
      requests.delete(id)
    }
    const served = new ServedRequest(message, components, { post, onOver })
    if (!over) requests.set(id, served)
  }
  const follow = (message: FollowingMessage) => {
    if (message.id < 0) return calls.receive(message)
    const request = requests.get(message.id)
    if (message.type === 'left') request?.left()
    else if (message.type === 'abandon') request?.abandon(message.reason)
    else if (isBody(message)) request?.receive(message)
  }
  const drop = ({ id, component, offered }: RequestMessage) => {
    if (offered && !claims.take(id)) return noticed()
    const message = 'the client left before its request began'
    post({ type: 'refused', id, code: 'connection-terminated', message })
    post({ type: 'done', id, chain: [component], calls: [], spans: [], droppedSpans: 0 })
  }
  const inbox = new Inbox({ serve, follow, drop })
  const close = () => {
    clearInterval(heart)
    components.close()
    stores.close()
    port.close()
  }
  port.on('message', (received: ToWorker) => {
    const message = unpack(received)
    if (message.type === 'request') inbox.request(message)
    else if (message.type === 'self') self = message
    else if (message.type === 'share') shareByKey(cpuMs)
    else if (message.type === 'close') close()
    else inbox.follow(message)
  })
}

function isBody(message: FollowingMessage): message is BodyMessage {
  return message.type !== 'answer' && message.type !== 'unanswered'
}
