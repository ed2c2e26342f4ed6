/** Where tools and their workflows come from. */
import type { WorkflowTool } from 'ftl-comfyui/workflow'

/** A tool with the text of its workflow, which its places count in. */
export interface UsableTool {
  tool: WorkflowTool
  /** The file as it is. */
  text: string
}

export interface WorkflowList {
  tools: WorkflowTool[]
  /** What cannot be used, a line each. */
  problems: string[]
}

/** Replace it to keep workflows elsewhere than in files. */
export interface WorkflowRepository {
  list(): Promise<WorkflowList>
  /** `undefined`: there is no such tool, or it cannot be used. */
  getByName(name: string): Promise<UsableTool | undefined>
}
