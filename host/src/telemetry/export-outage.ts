/** Reports when telemetry cannot be delivered, once per outage: a collector that is down must not fill the log. */

/** The part of the SDK's result that counts; code 0 is success. */
interface Result {
  code: number
  error?: Error
}

interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void
}

export class ExportOutage {
  readonly #report: (message: string) => void
  readonly #down = new Set<string>()

  constructor(report: (message: string) => void) {
    this.#report = report
  }

  /** Watches the results of an exporter. */
  watch<Items, T extends Exporter<Items>>(exporter: T, url: string): T {
    const send = exporter.export.bind(exporter)
    exporter.export = (items, done) =>
      send(items, (result) => {
        this.#note(url, result)
        done(result)
      })
    return exporter
  }

  #note(url: string, { code, error }: Result): void {
    const first = this.#down.size === 0
    if (code === 0) {
      if (this.#down.delete(url) && this.#down.size === 0) this.#report('telemetry arrives again')
      return
    }
    this.#down.add(url)
    if (!first) return
    const reason = describe(error)
    this.#report(
      `telemetry does not arrive at ${url}${reason && `: ${reason}`}; requests go on, ` +
        'telemetry that cannot be delivered is dropped; this is reported once',
    )
  }
}

// Node's error for an address without a listener has a code and no message.
function describe(error: Error | undefined): string {
  if (error === undefined) return ''
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
