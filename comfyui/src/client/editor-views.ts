/**
 * Inputs of 3D nodes that hold what the editor renders and uploads when it sends a workflow: its files are temporary, and a
 * program without the editor has none. A node reads all of them, also those that nothing is linked to.
 *
 * @see https://github.com/comfyanonymous/ComfyUI/blob/master/comfy_extras/nodes_load_3d.py
 */

interface EditorView {
  input: string
  /** Members that name a file, by the output that shows it, of servers since 0.3.76. */
  files: ReadonlyMap<number, string>
}

const FILES = new Map([
  [0, 'image'],
  [1, 'mask'],
  [3, 'normal'],
  [5, 'recording'],
])
/** Of `Load3D` before 0.3.76: a member more, with an output before the camera's. */
const OLDER_FILES = new Map([
  [0, 'image'],
  [1, 'mask'],
  [3, 'normal'],
  [4, 'lineart'],
  [6, 'recording'],
])
const WITHOUT_FILES = { input: 'viewport_state', files: new Map<number, string>() }

const VIEWS: ReadonlyMap<string, EditorView> = new Map([
  ['Load3D', { input: 'image', files: FILES }],
  ['Load3DAnimation', { input: 'image', files: FILES }],
  ...[
    ...['Load3DAdvanced', 'Preview3DAdvanced', 'PreviewGaussianSplat', 'PreviewPointCloud'],
    ...['Save3DAdvanced', 'SaveGaussianSplat', 'SavePointCloud'],
  ].map((name) => [name, WITHOUT_FILES] as const),
])

/** Classes of these nodes. */
export const VIEW_CLASSES = [...VIEWS.keys()]

/** @param outputs types of the class on the server, where they are known. */
export function editorView(classType: string, outputs?: readonly string[]): EditorView | undefined {
  const view = VIEWS.get(classType)
  const isOlder = classType === 'Load3D' && outputs?.[4] === 'IMAGE'
  return view && isOlder ? { ...view, files: OLDER_FILES } : view
}

/** By member that a server of any version reads, the outputs that may show it. */
export function slotsByMember({ files }: EditorView): ReadonlyMap<string, number[]> {
  const slots = new Map<string, number[]>()
  if (files.size === 0) return slots
  for (const [slot, member] of [...FILES, ...OLDER_FILES]) {
    slots.set(member, [...(slots.get(member) ?? []), slot])
  }
  return slots
}

/** Whether a workflow is sent with a stand-in where it lacks this input. */
export function hasStandIn(classType: string, inputName: string): boolean {
  return VIEWS.get(classType)?.input === inputName
}
