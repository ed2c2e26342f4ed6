/**
 * The core functions by which a component makes, reads and drops handles.
 *
 * @module
 */
import type { Guest } from '../instance/guest.ts'
import { type ImportFunction, jspi } from '../instance/jspi.ts'
import { Trap } from '../instance/trap.ts'
import { GuestResource } from './adapter.ts'
import { GuestResourceType, type ResourceType } from './types.ts'

export function newResource({ handles }: Guest, type: ResourceType): ImportFunction {
  if (!(type instanceof GuestResourceType)) throw new Trap('makes a resource of another component')
  return (representation: number) => handles.add(new GuestResource(type, representation))
}

export function representation({ handles }: Guest, type: ResourceType): ImportFunction {
  return (handle: number) => own(handles.get(handle, GuestResource), type).representation
}

/** A destructor is the component's own code and may wait, so it runs on a stack of its own. */
export function dropResource({ handles }: Guest, type: ResourceType): WebAssembly.ImportValue {
  if (!(type instanceof GuestResourceType)) {
    return (handle: number) => handles.drop(handle, Object)
  }
  const release = (handle: number): number | undefined => {
    const resource = own(handles.get(handle, GuestResource), type)
    const lent = handles.isLent(handle)
    handles.drop(handle, GuestResource)
    return lent ? undefined : resource.representation
  }
  if (!type.destructor) return release
  const { promising, Suspending } = jspi()
  const destroy = promising(type.destructor)
  return new Suspending((handle: number) => {
    const representation = release(handle)
    return representation === undefined ? undefined : destroy(representation)
  })
}

function own(resource: GuestResource, type: ResourceType): GuestResource {
  if (resource.type === type) return resource
  throw new Trap('used a handle as one of another resource')
}
