/** The feature that serves only what the operator has accepted: `ftl pin` writes it down. */
import type { Feature } from '../feature.ts'
import { differences, isFileChanged, pinnedTools } from './compare.ts'
import { pinVariables } from './tool-pins.ts'

export const pins: Feature = {
  name: 'pins',
  settings: pinVariables,
  accepted({ settings }) {
    const { toolPins } = settings
    return (
      toolPins && {
        differences: (component, published) => differences(toolPins, component, published),
        ofAnotherFile: (component) =>
          isFileChanged(toolPins, component) ? pinnedTools(toolPins, component) : undefined,
      }
    )
  },
}
