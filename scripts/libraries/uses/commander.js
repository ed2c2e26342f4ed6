import { Command } from 'commander'

export default () => {
  const program = new Command('greet').exitOverride()
  program.argument('<name>').option('-n, --times <number>', 'how often', Number, 1)
  program.parse(['Ann', '--times', '2'], { from: 'user' })
  return [program.args, program.opts(), program.helpInformation()]
}
