// Runs a component file with the host's linker alone, without the validator that checks every file before it.
import { MountedFiles } from '../../../host/src/files/mounted-files.ts'
import { GenericInstance } from '../../../host/src/generic/generic-instance.ts'
import { link } from '../../../host/src/generic/link.ts'
import { CoreModule } from '../../../host/src/generic/index-spaces.ts'
import { prepareGeneric } from '../../../host/src/generic/prepare-generic.ts'
import { readComponent } from '../../../host/src/generic/read-component.ts'
import { Guest } from '../../../host/src/instance/guest.ts'
import { Pipe } from '../../../host/src/http/pipe.ts'
import { preview1 } from '../../../host/src/instance/preview1.ts'
import type { ComponentServices } from '../../../host/src/instance/services.ts'
import type { HttpResponse } from '../../../host/src/http/messages.ts'

const SERVICES: ComponentServices = {
  component: 'guest',
  environment: {},
  outbound: { send: () => Promise.reject(new Error('not here')) },
  files: new MountedFiles({ folder: '/', files: [], excludeFiles: [] }),
  openStore: () => {
    throw new Error('not here')
  },
  variable: () => '',
  log: () => {},
}

const MEMORY_LIMIT = 16 * 1024 * 1024

/** Prepares and instantiates a component as the generic way does. @throws what refuses it. */
export async function instantiateComponent(
  wasm: Uint8Array,
  services: Partial<ComponentServices> = {},
): Promise<GenericInstance> {
  const program = await prepareGeneric({
    component: readComponent(wasm),
    memoryLimit: MEMORY_LIMIT,
    reason: '',
  })
  return new GenericInstance(structuredClone(program), { ...SERVICES, ...services })
}

/** Links a component whose core modules were not checked. @throws what refuses it. */
export async function linkUnchecked(
  wasm: Uint8Array,
  shapes: readonly CoreModule['shape'][],
): Promise<void> {
  const { code, modules } = readComponent(wasm)
  const compiled = await Promise.all(
    modules.map((module) => WebAssembly.compile(new Uint8Array(module))),
  )
  const guest = new Guest(SERVICES)
  link(code, {
    modules: compiled.map((module, i) => new CoreModule(module, shapes[i] as CoreModule['shape'])),
    guest,
    preview1: preview1(guest),
  })
}

/** Sends one request. @returns the response, if the guest gave one, and how it failed. */
export async function request(
  instance: GenericInstance,
): Promise<{ response: HttpResponse | undefined; failure: string | undefined }> {
  let response: HttpResponse | undefined
  const done = instance.run(
    {
      method: 'GET',
      scheme: 'http',
      authority: 'localhost',
      path: '/',
      headers: [],
      body: Pipe.empty(),
      depth: 0,
    },
    (given) => (response = given),
  )
  const failure = await done.then(() => undefined, String)
  return { response, failure }
}
