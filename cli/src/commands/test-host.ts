import { Command } from 'commander'

/** Hidden: the process that runs the built components of tests (`testTool(tool).built()`). */
export function testHostCommand(): Command {
  return new Command('test-host')
    .description('Run built components for ftl-sdk/testing, which starts it')
    .action(async () => {
      const { serveTests } = await import('../test-host/serve-tests.ts')
      await serveTests()
    })
}
