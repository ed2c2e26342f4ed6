/**
 * A component of ours beside those of others, such as the gateway: its source runs in this thread's own engine, and gets from the
 * host what it gets as a component.
 */
import type { HttpResponse } from '../http/messages.ts'
import { currentGuest } from '../instance/current-guest.ts'
import { Guest } from '../instance/guest.ts'
import { GuestOutput } from '../instance/guest-output.ts'
import type { GuestInstance } from '../instance/instance.ts'
import type { ComponentServices, GuestRequest } from '../instance/services.ts'
import { Trap } from '../instance/trap.ts'
import { LargeAnswers } from './large-answers.ts'
import { bytesOfBody, LargeBodies } from './large-bodies.ts'
import type { NativeAnswer } from './load.ts'
import { printing } from './native-console.ts'
import { nativeHost } from './native-host.ts'
import { NativeRun } from './native-run.ts'
import { sendOn } from './respond.ts'

/** For what large messages wait. */
export interface LargeMessages {
  bodies: LargeBodies
  /** For those to its own requests. @default they do not wait */
  answers?: LargeAnswers
}

/** Of this thread. A gateway may have its turn while it waits for a component, so these two kinds share none. */
const GATEWAY: LargeMessages = { bodies: new LargeBodies() }
const TOOL: LargeMessages = { bodies: new LargeBodies(), answers: new LargeAnswers() }

export const largeMessages = (isGateway: boolean): LargeMessages => (isGateway ? GATEWAY : TOOL)

export class NativeInstance implements GuestInstance {
  /** What it holds is the thread's. */
  readonly memoryBytes = 0
  readonly #answer: NativeAnswer
  readonly #bodies: LargeBodies
  readonly #answers: LargeAnswers | undefined
  readonly #guest: Guest
  readonly #output: GuestOutput
  #run: NativeRun | undefined
  #ended: Trap | undefined

  constructor(
    answer: NativeAnswer,
    services: ComponentServices,
    { bodies, answers }: LargeMessages = GATEWAY,
  ) {
    this.#answer = answer
    this.#bodies = bodies
    this.#answers = answers
    const guest = (this.#guest = new Guest(services))
    this.#output = new GuestOutput(guest.limits.outputBytes, (stream, line) =>
      guest.services.log(stream, line),
    )
  }

  /** As {@link runGuest}. */
  async run(request: GuestRequest, respond: (response: HttpResponse) => void): Promise<boolean> {
    const guest = this.#guest
    guest.begin(request)
    const run = (this.#run = new NativeRun(guest, this.#answers?.turn()))
    if (this.#ended) run.end(this.#ended)
    const bytes = bytesOfBody(request.method, request.path, request.headers)
    const turn = this.#bodies.enter(bytes)
    let waits = turn !== undefined
    try {
      if (turn) await run.until(turn)
      waits = false
      // Its streams are pulled by what sends the response, so that runs there, too.
      await printing.run({ output: this.#output, run }, () => this.#serve(request, respond, run))
      return true
    } finally {
      // One that was ended before its turn has it when it comes, and lets the next one in.
      if (waits) void turn?.then(() => this.#bodies.leave(bytes))
      else this.#bodies.leave(bytes)
      run.end(this.#ended)
      this.#output.end()
    }
  }

  /** Returns as soon as it has responded: then the response and the end of the request leave the thread in one message. */
  async #serve(
    request: GuestRequest,
    respond: (response: HttpResponse) => void,
    run: NativeRun,
  ): Promise<void> {
    const answer = currentGuest.run(this.#guest.id, () =>
      this.#answer(run.received(request), nativeHost(run, this.#guest)),
    )
    const sending = sendOn(await run.until(answer), respond, run)
    if (sending) await run.until(sending)
    if (run.hasWork) await run.worked()
  }

  abandon(reason: string): void {
    this.#ended = new Trap(reason)
    this.#run?.end(this.#ended)
  }

  wasAbandoned(error: unknown): boolean {
    return this.#ended !== undefined && this.#ended === error
  }

  /** The next request finds nothing of this one: what it had is in its run. */
  readonly reset = (): void => {
    this.#run = undefined
    this.#ended = undefined
  }
}
