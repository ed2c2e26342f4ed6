/** The core functions by which a component makes, reads and drops handles. */
import type { Guest } from '../instance/guest.ts'
import { jspi } from '../instance/jspi.ts'
import { Trap } from '../instance/trap.ts'
import { GuestResource, startOf } from './adapter.ts'
import { CoreFunction } from './index-spaces.ts'
import { type ComponentInstance, DefinedType, GuestResourceType, type TypeEntry } from './types.ts'

/** @param self the component instance that gets the function. */
export function resourceFunction(
  kind: 'resource.new' | 'resource.drop' | 'resource.rep',
  guest: Guest,
  self: ComponentInstance,
  type: TypeEntry,
): CoreFunction {
  if (type instanceof DefinedType) throw new Trap('makes a handle of a type that has none')
  if (kind === 'resource.drop') return new CoreFunction(dropResource(guest, self, type), 'i:')
  if (!(type instanceof GuestResourceType) || type.owner !== self) {
    throw new Trap('makes a resource of another component')
  }
  const { handles } = guest
  if (kind === 'resource.new') {
    const make = (representation: number) => {
      handles.use(self.handles)
      return handles.add(new GuestResource(type, representation))
    }
    return new CoreFunction(make, 'i:i')
  }
  const read = (handle: number) => {
    handles.use(self.handles)
    return own(handles.get(handle, GuestResource), type).representation
  }
  return new CoreFunction(read, 'i:i')
}

/** A destructor is the component's own code and may wait, so it runs on its own stack. */
function dropResource(
  { handles }: Guest,
  self: ComponentInstance,
  type: Exclude<TypeEntry, DefinedType>,
): WebAssembly.ImportValue {
  if (!(type instanceof GuestResourceType)) {
    return (handle: number) => {
      handles.use(self.handles)
      handles.drop(handle, type.kind)
    }
  }
  const release = (handle: number): number | undefined => {
    handles.use(self.handles)
    const resource = own(handles.get(handle, GuestResource), type)
    const lent = handles.isLent(handle)
    handles.drop(handle, GuestResource)
    return lent ? undefined : resource.representation
  }
  if (!type.destructor) return (handle: number) => void release(handle)
  const { Suspending } = jspi()
  const destroy = startOf(type.destructor, 'i:')
  return new Suspending((handle: number) => {
    const representation = release(handle)
    return representation === undefined ? undefined : destroy(representation)
  })
}

function own(resource: GuestResource, type: GuestResourceType): GuestResource {
  if (resource.type === type) return resource
  throw new Trap('used a handle as one of another resource')
}
