/** What runs the component of a test: its code in this process, or its built wasm in another one. */
export interface Runner {
  /** Sends a request of the component contract. Called within {@link around}. */
  send(path: string, init?: RequestInit): Promise<Response>
  /**
   * Surrounds everything that the component does for a call.
   *
   * @param missed receives names of globals that a component lacks and that were read.
   */
  around<T>(work: () => Promise<T>, missed?: Set<string>): Promise<T>
  /** What the component has thrown since the last time it was asked for. */
  takeError(): unknown
  /** Settles when everything given to `waitUntil` has settled; rejects with the first error of it. */
  settled(): Promise<void>
}
