/** An instance of a prepared component, whichever way it takes. */
import { type GuestInstance, Instance } from '../instance/instance.ts'
import type { ComponentServices } from '../instance/services.ts'
import type { PreparedProgram } from '../prepare/prepare.ts'
import { GenericInstance } from './generic-instance.ts'

/** @throws {Trap} WebAssembly's errors, when the component cannot be instantiated. */
export function createInstance(
  program: PreparedProgram,
  services: ComponentServices,
): GuestInstance {
  return 'module' in program
    ? new Instance(program, services)
    : new GenericInstance(program, services)
}
