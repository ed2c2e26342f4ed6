/** Checks a workflow that a caller sent: its form, and its nodes against those of a server. */
import { type Finding, hasErrors, readJson, reporter } from './finding.ts'
import { checkNodes, type NodeClasses } from './node-checks.ts'
import { readWorkflowText } from './workflow-text.ts'

/** @returns what ComfyUI would refuse, in the words of the linter; empty if it would accept the workflow. */
export function checkWorkflow(text: string, classes: NodeClasses): Finding[] {
  const file = { path: 'workflow', text }
  const report = reporter(file)
  const root = readJson(file, report)
  const workflow = root && readWorkflowText(root, report)
  if (workflow && !hasErrors(report.findings)) checkNodes(workflow, classes, report)
  return report.findings.filter(({ severity }) => severity === 'error')
}
