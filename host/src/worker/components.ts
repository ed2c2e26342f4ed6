import { isBegin } from '../audit/call-line.ts'
import { MountedFiles } from '../files/mounted-files.ts'
import { createInstance } from '../generic/generic-instance.ts'
import { loadNative } from '../native/load.ts'
import { type LargeMessages, largeMessages, NativeInstance } from '../native/native-instance.ts'
import { isNative } from '../native/native-program.ts'
import { Component } from '../instance/loaded-component.ts'
import type { CallTree } from '../instance/call-tree.ts'
import type { GuestInstance } from '../instance/instance.ts'
import type { ComponentServices, GuestRequest } from '../instance/services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { isGateway } from '../manifest/manifest.ts'
import { reachText } from '../manifest/reach.ts'
import { KeyValueError } from '../kv/key-value.ts'
import { viewOf } from '../kv/store-view.ts'
import type { ApplicationStores } from '../kv/stores.ts'
import { ComponentOutbound } from '../outbound/component-outbound.ts'
import { Network } from '../outbound/network.ts'
import { simulatedServices } from '../outbound/simulation.ts'
import { InstanceCounters } from '../telemetry/instance-counters.ts'
import type { Variables } from '../variables/variables.ts'
import type { AuditLines } from './audit-lines.ts'
import {
  auditedSettings,
  CALL_SETTINGS,
  reports,
  textOf,
  watchedSettings,
} from './call-settings.ts'
import { takeReport } from './gateway-report.ts'
import { hostVariables, saysStop } from './host-variables.ts'
import type { LogChannel } from './log-channel.ts'
import { optional, remembered } from './remembered.ts'
import type { WorkerSettings } from './settings.ts'
import { ReportedCalls } from './reported-calls.ts'

export interface ComponentsOptions {
  settings: WorkerSettings
  variables: Variables
  stores: ApplicationStores
  logs: LogChannel
  /** Calls a component that does not run in this thread. */
  callElsewhere: (component: string, request: GuestRequest) => Promise<HttpResponse>
  /** The engine of a component ended a guest that computed for too long. */
  onExhausted: (component: string, request?: number) => void
  /** Takes lines of gateways to the audit log, if the host keeps one. */
  audit?: AuditLines
  /** Where the application itself listens. */
  self: () => { host: string; port: number }
  /** @param request that the message is about. */
  onProblem: (component: string, message: string, request?: number) => void
}

/** The application's components in this thread; they call each other here, and no request changes threads. */
export class Components {
  readonly #components = new Map<string, Component>()
  readonly #networks: Network[] = []
  readonly #gateways = new Set<string>()
  /** Calls of each gateway that writes the audit log. */
  readonly #reported = new Map<string, ReportedCalls>()
  /** What a request waits for before each effect. */
  readonly beforeEffect: ((tree: CallTree) => void) | undefined
  readonly #elsewhere: ComponentsOptions['callElsewhere']
  readonly #settings: Pick<WorkerSettings, 'ward' | 'wards'>
  /** By the component's id. */
  readonly #numbers = new Map<string, number>()

  /** In development: the last line on standard error of each component, by the call. */
  readonly #lastWords = new WeakMap<CallTree, Map<string, string>>()

  constructor(options: ComponentsOptions) {
    const { settings, onProblem } = options
    const { audit } = options
    if (audit) this.beforeEffect = (tree) => audit.hold(tree)
    this.#elsewhere = options.callElsewhere
    this.#settings = settings
    for (const [index, { component, program }] of settings.programs.entries()) {
      const { id } = component
      const gateway = isGateway(component)
      if (gateway) this.#gateways.add(id)
      const services = this.#services(id, options)
      const loaded = new Component({
        create: creatorOf(
          program,
          services,
          (reason) =>
            onProblem(
              id,
              `Uncaught (in promise) ${reason instanceof Error ? reason.stack : String(reason)}`,
            ),
          largeMessages(gateway),
        ),
        maxInstances: settings.maxInstances,
        maxCalledInstances: settings.maxCalledInstances,
        countsNoFollowers: isNative(program),
        abandonedMs: settings.abandonedMs,
        onError: (message, tree) => onProblem(id, message, tree?.id),
        ...(settings.devBuild !== undefined && {
          lastWords: (tree) => tree && this.#lastWords.get(tree)?.get(id),
        }),
        ...(settings.counters && { counters: new InstanceCounters(settings.counters, index) }),
      })
      if (settings.warm) loaded.warm()
      this.#components.set(id, loaded)
      this.#numbers.set(id, index)
    }
  }

  get ids(): string[] {
    return [...this.#components.keys()]
  }

  /** @returns `undefined` when there is no such component. */
  dispatch(id: string, request: GuestRequest): Promise<HttpResponse> | undefined {
    return this.#isElsewhere(id) ? this.#elsewhere(id, request) : this.serve(id, request)
  }

  /** Serves it in this thread, which the main thread has chosen for it. */
  serve(id: string, request: GuestRequest): Promise<HttpResponse> | undefined {
    const answer = this.#components.get(id)?.handle(request)
    const reported = this.#reported.get(id)
    return answer?.then((response) => {
      const answered = reported?.answered(response, request.tree) ?? response
      return takeReport(request, answered, this.#gateways.has(id))
    })
  }

  close(): void {
    for (const component of this.#components.values()) component.close()
    for (const network of this.#networks) network.close()
  }

  /** The last line is why the engine has ended a guest, which then answers nothing. */
  #keepWords(id: string, line: string, tree: CallTree | undefined): void {
    // Where it was is in the log, with lines of the sources.
    if (!tree || /^\s+at /.test(line)) return
    const words = this.#lastWords.get(tree) ?? new Map<string, string>()
    words.set(id, line.slice(0, LONGEST_WORDS).replace('[component.ID.', `[component.${id}.`))
    this.#lastWords.set(tree, words)
  }

  #isElsewhere(id: string): boolean {
    const number = this.#numbers.get(id)
    const { ward, wards } = this.#settings
    return number !== undefined && Atomics.load(wards, number) > ward
  }

  #services(id: string, options: ComponentsOptions): ComponentServices {
    const { settings, variables, stores, logs, self, onProblem } = options
    const component = settings.manifest.components.get(id)
    if (component === undefined) throw new Error(`no component "${id}"`)
    const gateway = isGateway(component)
    const audit = gateway ? options.audit : undefined
    const ownVariables = hostVariables(
      component,
      settings.devBuild,
      Object.hasOwn(settings.devVariables, id) ? settings.devVariables[id] : undefined,
      settings.entryRules.compares,
      gateway ? reachText(settings.manifest) : undefined,
      gateway ? settings.storeLimits : undefined,
    )
    const known = optional((name) => {
      const read = () => ownVariables.get(name) ?? variables.get(id, name)
      return audit && name === CALL_SETTINGS ? auditedSettings(read, 'host') : read()
    })
    // The only one that changes while a worker lives.
    const variable = (name: string) =>
      saysStop(component, name, settings.stops) ? 'true' : known(name)
    const network = new Network()
    this.#networks.push(network)
    const write = (line: string, tree: CallTree | undefined) => {
      if (tree?.trace?.observed !== undefined && !isBegin(line)) logs.noted(line, tree.id)
      audit?.add(line, tree)
    }
    const reported = audit && new ReportedCalls(write)
    if (reported) this.#reported.set(id, reported)
    return {
      component: id,
      traced: settings.traced,
      limits: settings.limits,
      environment: component.environment,
      files: new MountedFiles({ folder: settings.manifest.folder, ...component }),
      variable: (name, tree) => {
        const observed = tree?.trace?.observed
        if (!gateway || !observed || name !== CALL_SETTINGS) return variable(name)
        return watchedSettings(() => textOf(variable(name)), {
          // The log must not have arguments that its operator did not ask for.
          arguments: observed === 'arguments' && !reports(variable),
        })
      },
      log: (stream, line, tree) => {
        // By the component that prints it, and not by what it prints: no other component can write such a line.
        if (gateway && stream === 'stdout' && isAuditLine(line)) {
          if (reported) {
            write(reported.whole(line, tree), tree)
            return true
          }
          const observed = tree?.trace?.observed !== undefined
          if (observed && !isBegin(line)) logs.noted(line, tree.id)
          // It is printed only because the request is watched.
          if (observed && !reports(variable)) return true
        }
        if (stream === 'stderr' && settings.devBuild !== undefined) this.#keepWords(id, line, tree)
        if (stream === 'stderr' && EXHAUSTED.test(line)) options.onExhausted(id, tree?.id)
        logs.write(id, stream, line, tree?.id)
        return false
      },
      openStore: remembered((label) => {
        const view = viewOf(component, label)
        if (view) return stores.open(view)
        throw new KeyValueError('access-denied')
      }),
      outbound: new ComponentOutbound({
        allowedHosts: () => component.allowedOutboundHosts.map((entry) => variables.resolve(entry)),
        dispatch: (callee, request) => this.dispatch(callee, request),
        network,
        gateway,
        self,
        maxDepth: settings.maxChainDepth,
        ...(options.audit && { written: (tree) => options.audit?.written(tree) }),
        callsWait: settings.auditRequired,
        ...(reported && { begins: (request, tree) => reported.begins(request, tree) }),
        onRefused: (message, tree) => onProblem(id, message, tree?.id),
      }),
      ...(settings.simulation && simulatedServices(settings.simulation, network)),
    }
  }
}

/** Characters of a line that an author is shown in the result of a call. */
const LONGEST_WORDS = 2_000

/** What makes an instance of the component. */
function creatorOf(
  program: WorkerSettings['programs'][number]['program'],
  services: ComponentServices,
  onLost: (reason: unknown) => void,
  large: LargeMessages,
): () => GuestInstance {
  if (!isNative(program)) return () => createInstance(program, services)
  const answer = loadNative(program, services.component, onLost)
  return () => new NativeInstance(answer, services, large)
}

/** What the engine prints when it ends a guest: `engine/src/limits.rs`. A component that prints it accuses only itself. */
const EXHAUSTED =
  /^JavaScript ran for more than \d+ ms without waiting for anything, and was ended\./

/** The beginning of a line for the audit log. A gateway prints nothing else to its standard output. */
const AUDIT_LINE = '{"audit":'

function isAuditLine(line: string): boolean {
  return line.startsWith(AUDIT_LINE) && line.endsWith('}')
}
