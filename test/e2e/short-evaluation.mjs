// Loaded into `ftl` by a test: an evaluation without an end is ended after 5 s instead of 20 s of computing.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const { spawn } = childProcess

childProcess.spawn = (program, args, options) =>
  spawn(program, args, options?.timeout === 20_000 ? { ...options, timeout: 5000 } : options)
syncBuiltinESMExports()
