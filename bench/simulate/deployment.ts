/** Hosts with a store beside them, as the simulation sees them, and what one request asks of each. */
import { Clock } from './clock.ts'
import { Machine, Pool, type Thread } from './machine.ts'

/** What one request of a kind needs. Times are milliseconds of one core, but `waitMs`. */
export interface Demands {
  /** Of the load generator, and of ComfyUI where it runs beside it; 0 if they have machines of their own. */
  clientMs: number
  /** Of the host's main thread. */
  mainMs: number
  /** Of the host's worker threads, all components together. */
  workerMs: number
  /** Commands that the store receives. */
  commands: number
  /** Of the store, for one command. */
  storeMs: number
  /** What passes without work: threads that wake up, the network. */
  waitMs: number
  /** Of threads that compile and collect garbage, which no request waits for. */
  besideMs: number
  /** Of the worker, once the answer has left: the next request finds it at work. */
  afterMs: number
}

export interface DeploymentOptions {
  hosts: number
  /** Worker threads of a host. */
  workers: number
  /** Cores of each machine. */
  cores: number
  /** Everything runs on one machine, with the load generator. Otherwise each host and the store have their own. */
  isShared: boolean
  /** How much longer work takes while all cores are busy than while one is. @default 1 */
  crowding?: number
}

interface HostThreads {
  main: Thread
  beside: Thread
  workers: Pool
}

/** Where requests are served, in simulated time. */
export class Deployment {
  readonly clock = new Clock()
  readonly #hosts: readonly HostThreads[]
  readonly #machines: Machine[]
  readonly #storeMachine: Machine
  readonly #store: Thread
  readonly #client: Thread
  #next = 0
  /** Part of a command that requests so far have left. */
  #owed = 0
  /** Commands that the store has received. */
  commands = 0

  constructor({ hosts, workers, cores, isShared, crowding }: DeploymentOptions) {
    const shared = new Machine(this.clock, cores, crowding)
    const machine = () => (isShared ? shared : new Machine(this.clock, cores, crowding))
    this.#machines = isShared ? [shared] : Array.from({ length: hosts }, machine)
    this.#hosts = Array.from({ length: hosts }, (_, index) => {
      const own = this.#machines[index % this.#machines.length] as Machine
      const threads = Array.from({ length: workers }, () => own.thread())
      return { main: own.thread(), beside: own.thread(), workers: new Pool(threads) }
    })
    this.#storeMachine = machine()
    this.#store = this.#storeMachine.thread()
    this.#client = machine().thread()
  }

  /** One request through the next host, as a proxy in turn gives it. */
  serve(demands: Demands, done: () => void): void {
    const { clientMs, mainMs, workerMs, besideMs, afterMs, commands, waitMs } = demands
    const host = this.#hosts[this.#next++ % this.#hosts.length] as HostThreads
    // A mean of 0.9 commands is one command in nine of ten requests.
    this.#owed += commands
    const whole = Math.floor(this.#owed + 1e-9)
    this.#owed -= whole
    const parts = whole + 1
    const leave = () =>
      host.main.run(mainMs / 2, () =>
        this.#client.run(clientMs / 2, () => this.clock.after(waitMs, done)),
      )
    const work = (left: number) => {
      const worker = host.workers.shortest()
      worker.run(workerMs / parts, () => {
        if (left > 0) return this.#command(demands, () => work(left - 1))
        leave()
        if (afterMs > 0) worker.run(afterMs, () => {})
        if (besideMs > 0) host.beside.run(besideMs, () => {})
      })
    }
    this.#client.run(clientMs / 2, () => host.main.run(mainMs / 2, () => work(whole)))
  }

  #command({ storeMs }: Demands, done: () => void): void {
    this.commands++
    this.#store.run(storeMs, done)
  }

  /** Milliseconds of cores used until now: of the hosts together, and of the store. Equal when they share a machine. */
  busy(): { hosts: number; store: number } {
    return {
      hosts: this.#machines.reduce((sum, machine) => sum + machine.busy, 0),
      store: this.#storeMachine.busy,
    }
  }
}
